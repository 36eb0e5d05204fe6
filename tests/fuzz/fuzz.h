/* The function that libFuzzer and replay.c call. */
#ifndef LINPRED_TESTS_FUZZ_H
#define LINPRED_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

#endif
