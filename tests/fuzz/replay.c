/* Runs the fuzz function once on each file given, and on each with one byte changed or its end cut off. */
#include <stdio.h>
#include <stdlib.h>

#include "fuzz.h"

/* Every position of short files, 200 positions of longer ones. */
static void disturb(uint8_t *bytes, size_t count)
{
    size_t step = count / 200 + 1;
    for (size_t at = 0; at < count; at += step) {
        static const uint8_t other[] = {0, '\n', '"', '9', 255};
        uint8_t kept = bytes[at];
        bytes[at] = other[at % sizeof other];
        LLVMFuzzerTestOneInput(bytes, count);
        bytes[at] = kept;
        LLVMFuzzerTestOneInput(bytes, at);
    }
}

int main(int count, char **name)
{
    for (int i = 1; i < count; i++) {
        static uint8_t bytes[1 << 20];
        FILE *file = fopen(name[i], "rb");
        if (!file) {
            perror(name[i]);
            return 2;
        }
        size_t read = fread(bytes, 1, sizeof bytes, file);
        fclose(file);
        LLVMFuzzerTestOneInput(bytes, read);
        disturb(bytes, read);
    }
    printf("%d files\n", count - 1);
    return count > 1 ? 0 : 2;
}
