/* json_check [KEY[.KEY]…] < TEXT: whether standard input is one valid JSON object and nothing else, and, line by line,
 * what stands under the given keys ("-" where there is nothing). For the tests of the program: no Python, no jq. */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

static const json_t *find(const json_t *object, const char *path)
{
    char key[200];
    while (object) {
        size_t length = strcspn(path, ".");
        snprintf(key, sizeof key, "%.*s", (int)length, path);
        object = json_object_get(object, key);
        if (path[length] == '\0')
            return object;
        path += length + 1;
    }
    return NULL;
}

int main(int argc, char **argv)
{
    json_error_t error;
    json_t *object = json_loadf(stdin, JSON_REJECT_DUPLICATES, &error);
    if (!json_is_object(object)) {
        fprintf(stderr, "json_check: line %d: %s\n", error.line, object ? "not an object" : error.text);
        json_decref(object);
        return 1;
    }
    for (int i = 1; i < argc; i++) {
        const json_t *value = find(object, argv[i]);
        char *text = value ? json_dumps(value, JSON_ENCODE_ANY | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(15)) : NULL;
        printf("%s: %s\n", argv[i], text ? text : "-");
        free(text);
    }
    json_decref(object);
    return 0;
}
