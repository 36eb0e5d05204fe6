/* Reads the bytes of a model file and checks them before the fields are read.
 *
 * The checks come in this order: does the file exist, is it a model, can this linpred read its version, was it changed,
 * is it complete. The version comes before the checksum, because a newer format may have another checksum. Jansson
 * parses the JSON; it refuses duplicate keys, NUL characters, broken UTF-8 and numbers beyond the range of doubles.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "core/memory.h"
#include "model/file/file.h"
#include "model/limits.h"

struct bytes {
    char *text; /* ends with a NUL */
    size_t length;
    size_t capacity;
};

static linpred_status cannot_read(linpred_error *error, const char *path, int code)
{
    char excerpt[LINPRED__EXCERPT];
    return linpred__fail(error, LINPRED_ERROR_FILE, "cannot read the model '%s': %s",
                         linpred__excerpt(path, strlen(path), excerpt), strerror(code));
}

static linpred_status not_a_model(linpred_error *error, const char *path, const char *why)
{
    char excerpt[LINPRED__EXCERPT];
    return linpred__fail(error, LINPRED_ERROR_INPUT,
                         "'%s' is not a linpred model: %s; a model is what 'linpred fit' writes with -o",
                         linpred__excerpt(path, strlen(path), excerpt), why);
}

/* If the first piece shows that the file is no model, returns the reason, else NULL. A large data file given by mistake
   is then not read to its end. */
static const char *foreign(const struct bytes *bytes)
{
    size_t blank = strspn(bytes->text, " \t\r\n");
    if (bytes->length == 0)
        return "it is empty";
    if (blank < bytes->length && bytes->text[blank] != '{')
        return "it does not begin with '{'";
    return NULL;
}

static linpred_status read_pieces(int descriptor, const char *path, struct bytes *bytes, linpred_error *error)
{
    for (;;) {
        if (!linpred__grow(&bytes->text, &bytes->capacity, bytes->length + LINPRED__FILE_PIECE + 1, 1))
            return linpred__no_memory(error);
        ssize_t got = read(descriptor, bytes->text + bytes->length, LINPRED__FILE_PIECE);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return cannot_read(error, path, errno);
        bool first = bytes->length == 0;
        bytes->length += (size_t)got;
        bytes->text[bytes->length] = '\0';
        if (first && foreign(bytes))
            return not_a_model(error, path, foreign(bytes));
        if (got == 0)
            return LINPRED_OK;
        if (bytes->length > LINPRED__FILE_MAX)
            return not_a_model(error, path, "it is larger than 1 GiB");
    }
}

static linpred_status read_bytes(const char *path, struct bytes *bytes, linpred_error *error)
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    struct stat about;
    if (descriptor < 0)
        return cannot_read(error, path, errno);
    linpred_status status = LINPRED_OK;
    if (fstat(descriptor, &about) != 0)
        status = cannot_read(error, path, errno);
    else if (S_ISREG(about.st_mode) && about.st_size > LINPRED__FILE_MAX)
        status = not_a_model(error, path, "it is larger than 1 GiB");
    else
        status = read_pieces(descriptor, path, bytes, error);
    close(descriptor);
    return status;
}

/* The error with the message of Jansson, without the piece of the file that it quotes, and with the place in our
   words. */
static linpred_status not_json(linpred_error *error, const char *path, const struct bytes *bytes,
                               const json_error_t *problem)
{
    if (problem->text[0] == '\0' || json_error_code(problem) == json_error_out_of_memory)
        return linpred__no_memory(error);
    char name[LINPRED__EXCERPT];
    char said[LINPRED__EXCERPT];
    const char *quote = strstr(problem->text, " near ");
    linpred__excerpt(path, strlen(path), name);
    linpred__excerpt(problem->text, quote ? (size_t)(quote - problem->text) : strlen(problem->text), said);
    if (strstr(bytes->text, "\"" LINPRED__FILE_FORMAT "\""))
        return linpred__fail_at(error, LINPRED_ERROR_INPUT, problem->line, problem->column,
                                "'%s' is cut short or damaged at line %d: %s; use a copy of it, or fit again", name,
                                problem->line, said);
    return linpred__fail_at(error, LINPRED_ERROR_INPUT, problem->line, problem->column,
                            "'%s' is not a linpred model, or is cut short or damaged, at line %d: %s; a model is what "
                            "'linpred fit' writes with -o",
                            name, problem->line, said);
}

static linpred_status check_head(const json_t *root, const char *path, linpred_error *error)
{
    char excerpt[LINPRED__EXCERPT];
    const char *format = json_string_value(json_object_get(root, "format"));
    const json_t *version = json_object_get(root, "version");
    if (!format || strcmp(format, LINPRED__FILE_FORMAT) != 0)
        return not_a_model(error, path, "there is no \"format\": \"" LINPRED__FILE_FORMAT "\" in it");
    linpred__excerpt(path, strlen(path), excerpt);
    if (!json_is_integer(version) || json_integer_value(version) < 1)
        return linpred__fail(
            error, LINPRED_ERROR_INPUT,
            "'%s' is not a usable model: 'version' must be a whole number, 1 or more; undo the edit, or "
            "fit again",
            excerpt);
    if (json_integer_value(version) < LINPRED__FILE_OLDEST)
        return linpred__fail(error, LINPRED_ERROR_INPUT,
                             "'%s' is written in version %lld of the model format, which was never released: fit again",
                             excerpt, (long long)json_integer_value(version));
    if (json_integer_value(version) > LINPRED__FILE_VERSION)
        return linpred__fail(
            error, LINPRED_ERROR_INPUT,
            "'%s' is written in version %lld of the model format; this linpred, %s, reads up to version "
            "%d: use a newer linpred",
            excerpt, (long long)json_integer_value(version), linpred_version(), LINPRED__FILE_VERSION);
    return LINPRED_OK;
}

static linpred_status check_checksum(const json_t *root, const struct bytes *bytes, const char *path,
                                     linpred_error *error)
{
    const char *said = json_string_value(json_object_get(root, "checksum"));
    const char *digits = linpred__file_checksum_at(bytes->text);
    char excerpt[LINPRED__EXCERPT];
    char checksum[LINPRED__FILE_CHECKSUM_DIGITS + 1];
    if (said && digits) {
        linpred__file_checksum(bytes->text, bytes->length, digits, checksum);
        if (strcmp(said, checksum) == 0 && strncmp(digits, checksum, LINPRED__FILE_CHECKSUM_DIGITS) == 0)
            return LINPRED_OK;
    }
    return linpred__fail(
        error, LINPRED_ERROR_INPUT,
        "'%s' was changed after it was written: its checksum %s; use a copy of it or fit again, or say "
        "--accept-edited if the change is meant",
        linpred__excerpt(path, strlen(path), excerpt), said && digits ? "differs" : "is missing");
}

/* `path` is for messages. */
static linpred_status parse_model(const struct bytes *bytes, const char *path, bool accept_edited,
                                  linpred_result **result, linpred_error *error)
{
    json_error_t problem = {0};
    json_t *root = json_loadb(bytes->text, bytes->length, JSON_REJECT_DUPLICATES, &problem);
    linpred_status status = root ? check_head(root, path, error) : not_json(error, path, bytes, &problem);
    if (status == LINPRED_OK && !accept_edited)
        status = check_checksum(root, bytes, path, error);
    if (status == LINPRED_OK)
        status = linpred__file_result(root, path, result, error);
    json_decref(root);
    return status;
}

linpred_status linpred_result_load(const char *path, bool accept_edited, linpred_result **result, linpred_error *error)
{
    LINPRED__NEEDS(path, result);
    struct bytes bytes = {0};
    linpred_status status = read_bytes(path, &bytes, error);
    if (status == LINPRED_OK)
        status = parse_model(&bytes, path, accept_edited, result, error);
    linpred__release(bytes.text);
    return status;
}

linpred_status linpred_result_from_text(const char *text, size_t length, bool accept_edited, linpred_result **result,
                                        linpred_error *error)
{
    LINPRED__NEEDS(text, result);
    static const char name[] = "the text";
    struct bytes bytes = {.text = linpred__copy_text(text, length), .length = length};
    if (!bytes.text)
        return linpred__no_memory(error);
    linpred_status status = foreign(&bytes) ? not_a_model(error, name, foreign(&bytes))
                                            : parse_model(&bytes, name, accept_edited, result, error);
    linpred__release(bytes.text);
    return status;
}
