/* A careful player for Felt in C: JSON lines on standard input and output, no library.
 * Felt writes its lines without spaces and always in the same order, so that what we want can be looked for.
 *
 * Build and play it: cc -O2 -o careful examples/agents/careful.c && felt match cmd:./careful call */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What stands behind a key, from a place on; "null" if it is not there. */
static const char *after(const char *text, const char *key) {
    const char *found = strstr(text, key);
    return found ? found + strlen(key) : "null";
}

static long number(const char *text, const char *key) { return atol(after(text, key)); }

/* One for every high card, two for every own card that has a partner. */
static int points(const char *own, const char *board) {
    int value = 0;
    for (const char *card = own; *card != '"'; card += 2) {
        int partners = 0;
        for (const char *other = own; *other != '"'; other += 2) partners += *other == *card;
        for (const char *other = board; *other != '"'; other += 2) partners += *other == *card;
        value += (strchr("TJQKA", *card) != NULL) + 2 * (partners > 1);
    }
    return value;
}

/* Raise with four points or more, and now and then with less; call at a price; else fold. */
static void decide(const char *line, long id) {
    const char *own = after(line, "\"own\":\""), *legal = after(own, "\"legal\":");
    const char *calls = after(legal, "\"call\":"), *raises = after(legal, "\"raise_to\":");
    const char *exchange = after(legal, "\"exchange\":");
    long call = *calls == 'n' ? -1 : atol(calls), pot = number(legal, "\"pot\":");
    int value = points(own, after(legal, "\"board\":\"")), may_fold = *after(legal, "\"fold\":") == 't';
    if (*exchange == '{') {
        int letters = 2 * (int)number(exchange, "\"least\":");
        printf("{\"id\":%ld,\"move\":\"exchange\",\"cards\":\"%.*s\"}\n", id, letters, own);
    } else if (*raises == '{' && (value >= 4 || atol(after(line, "\"dice\":")) % 16 == 0) && 2 * call <= pot) {
        long least = number(raises, "\"least\":"), most = number(raises, "\"most\":"), total = pot < most ? pot : most;
        printf("{\"id\":%ld,\"move\":\"raise\",\"amount\":%ld}\n", id, total > least ? total : least);
    } else if (call >= 0 && (!may_fold || (value >= 2 && call <= pot) || 4 * call <= pot))
        printf("{\"id\":%ld,\"move\":\"call\"}\n", id);
    else
        printf("{\"id\":%ld,\"move\":\"fold\"}\n", id);
}

int main(void) {
    char *line = NULL;
    size_t size = 0;
    while (getline(&line, &size, stdin) > 0) {
        if (strstr(line, "\"type\":\"hello\""))
            puts("{\"type\":\"hello\",\"protocol\":1,\"name\":\"careful in C\",\"remembers\":false}");
        else if (strstr(line, "\"type\":\"act\"")) decide(line, number(line, "\"id\":"));
        fflush(stdout); /* Felt waits for the answer */
    }
    return 0;
}
