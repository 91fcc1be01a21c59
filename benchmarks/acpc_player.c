/* A player of the ACPC protocol for benchmarks: folds, calls and raises by chance, without knowing the game.
   Usage: acpc_player HOST PORT [SEED]. Raises ask for a chance total; the dealer takes the nearest that is allowed.
   Whose turn it is follows from the betting, heads-up with reverse blinds only. */
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static uint64_t state;

static uint32_t chance(uint32_t below) {
  state = state * 6364136223846793005ULL + 1442695040888963407ULL;
  return (uint32_t)(((state >> 32) * below) >> 32);
}

/* Whether the seat of a message is to act, what there is to call, and the least total that raises. */
static int my_turn(int seat, const char *betting, int *to_call, int *least) {
  int spent[2] = {100, 50}, turn = 1, street = 0, moved = 0, all_in = 0, by = 100;
  for (const char *at = betting; *at && *at != ':'; ++at) {
    int high = spent[0] > spent[1] ? spent[0] : spent[1];
    if (*at == '/') { ++street, turn = 0, moved = 0, by = 100; continue; }
    if (*at == 'f') return 0;
    if (*at == 'c') {
      spent[turn] = high;
      if (all_in || (street == 3 && moved)) return 0;
    } else {
      spent[turn] = (int)strtol(at + 1, (char **)&at, 10), --at;
      if (spent[turn] - high > by) by = spent[turn] - high;
      all_in = spent[turn] >= 20000;
    }
    moved = 1, turn = !turn;
  }
  int high = spent[0] > spent[1] ? spent[0] : spent[1];
  *to_call = high - spent[seat], *least = all_in ? 0 : high + by;
  return turn == seat;
}

static int answer(char *line, char *end) {
  int seat = line[11] - '0', to_call, least;
  char *betting = strchr(line + 13, ':') + 1;
  if (!my_turn(seat, betting, &to_call, &least)) return 0;
  uint32_t drawn = chance(100);
  if (to_call && drawn < 6) return sprintf(end, ":f\r\n");
  if (least && drawn >= 53) {
    int total = least >= 20000 ? 20000 : least + (int)chance((uint32_t)(20001 - least));
    return sprintf(end, ":r%d\r\n", total);
  }
  return sprintf(end, ":c\r\n");
}

int main(int argc, char **argv) {
  if (argc < 3) { fprintf(stderr, "usage: acpc_player HOST PORT [SEED]\n"); return 2; }
  state = argc > 3 ? strtoull(argv[3], NULL, 10) * 2862933555777941757ULL + 3037000493ULL : 1;
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(argv[2]))};
  int fd = socket(AF_INET, SOCK_STREAM, 0), one = 1;
  if (inet_pton(AF_INET, argv[1], &to.sin_addr) != 1 || connect(fd, (struct sockaddr *)&to, sizeof to)) return 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  if (write(fd, "VERSION:2.0.0\r\n", 15) != 15) return 1;
  FILE *from = fdopen(fd, "r");
  char line[4096];
  while (fgets(line, sizeof line - 64, from)) {
    char *end = line + strcspn(line, "\r\n");
    *end = 0;
    int length = strncmp(line, "MATCHSTATE:", 11) ? 0 : answer(line, end);
    if (length && write(fd, line, (size_t)(end - line + length)) < 0) return 1;
  }
  return 0;
}
