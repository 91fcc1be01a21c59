"""Compiled: what two opponents' ranges make of the table of three-way all-ins."""

from felt._jit import kernel


@kernel
def add_orders(tensor, second, third, seconds, thirds, out):
    """Add up the rows of the classes that the two others play, `seconds` and `thirds`, each as often as they do."""
    for m in range(len(seconds)):
        j = seconds[m]
        for n in range(len(thirds)):
            k = thirds[n]
            often = second[j] * third[k]
            for i in range(len(out)):
                out[i] += often * tensor[j, k, i]
