// --- swap
void swap(int *first, int *second)
{
    int kept = *first;
    *first = *second;
    *second = kept;
}
// --- length
#include <stddef.h>

size_t length(const char *text)
{
    const char *end = text;
    while (*end != '\0')
        end++;
    return (size_t)(end - text);
}
// --- list
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

struct node *push(struct node *head, int value)
{
    struct node *fresh = malloc(sizeof *fresh);
    if (fresh == NULL)
        return head;
    *fresh = (struct node){ .value = value, .next = head };
    return fresh;
}
// --- count lines
#include <stdio.h>

long count_lines(FILE *file)
{
    long lines = 0;
    int character;
    while ((character = getc(file)) != EOF)
        if (character == '\n')
            lines++;
    return lines;
}
// --- insertion sort
void insertion_sort(int *values, int count)
{
    for (int i = 1; i < count; i++) {
        int value = values[i];
        int j = i;
        for (; j > 0 && values[j - 1] > value; j--)
            values[j] = values[j - 1];
        values[j] = value;
    }
}
// --- greatest divisor
unsigned greatest_divisor(unsigned a, unsigned b)
{
    while (b != 0) {
        unsigned rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}
// --- arguments
#include <stdio.h>

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: %s NAME\n", argv[0]);
        return 2;
    }
    printf("Hello, %s!\n", argv[1]);
    return 0;
}
// --- hash
#include <stdint.h>

uint32_t hash(const unsigned char *bytes, int count)
{
    uint32_t value = 2166136261u;
    for (int i = 0; i < count; i++) {
        value ^= bytes[i];
        value *= 16777619u;
    }
    return value;
}
// --- compare
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    const int *first = a, *second = b;
    return (*first > *second) - (*first < *second);
}

void sort(int *values, size_t count)
{
    qsort(values, count, sizeof *values, compare);
}
// --- bits
int count_bits(unsigned long value)
{
    int bits = 0;
    while (value != 0) {
        value &= value - 1;
        bits++;
    }
    return bits;
}
// --- copy
#include <string.h>

int copy(char *target, size_t size, const char *source)
{
    size_t needed = strlen(source) + 1;
    if (needed > size)
        return -1;
    memcpy(target, source, needed);
    return 0;
}
// --- ring buffer
#define SIZE 64

static unsigned char ring[SIZE];
static unsigned head, tail;

int put(unsigned char byte)
{
    if (head - tail == SIZE)
        return 0;
    ring[head++ % SIZE] = byte;
    return 1;
}
