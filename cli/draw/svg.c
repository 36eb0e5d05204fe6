/* A document of SVG: see svg.h. Colours are those of Okabe and Ito, which colour-blind people tell apart; classes of
 * rows also differ in shape. */
#include "svg.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* One rule for each class: the property, the value in the light and in the dark theme, and what both share. */
static const struct {
    const char *selector;
    const char *property;
    const char *light;
    const char *dark;
    const char *rest;
} rules[] = {
    {".bg", "fill", "#ffffff", "#0d1117", ""},
    {"text", "fill", "#1b1f24", "#e6edf3", "font-size:12px"},
    {".title", "fill", "#1b1f24", "#e6edf3", "font-size:16px;font-weight:600"},
    {".note", "fill", "#4d555e", "#a9b3be", "font-size:13px"},
    {".name", "fill", "#1b1f24", "#e6edf3", "font-size:13px"},
    {".tick", "fill", "#4d555e", "#a9b3be", "font-size:12px"},
    {".grid", "stroke", "#e4e7ea", "#272d35", "fill:none"},
    {".frame", "stroke", "#8c959f", "#6e7681", "fill:none"},
    {".zero", "stroke", "#8c959f", "#6e7681", "fill:none;stroke-dasharray:2 3"},
    {".pos", "fill", "#0072b2", "#56b4e9", "fill-opacity:.85"},
    {".neg", "fill", "#d55e00", "#f0a04b", "fill-opacity:.85"},
    {".row", "fill", "#0072b2", "#56b4e9", "fill-opacity:.6"},
    {".posdots", "stroke", "#0072b2", "#56b4e9", "fill:none;stroke-width:5;stroke-linecap:round;stroke-opacity:.6"},
    {".negdots", "stroke", "#d55e00", "#f0a04b", "fill:none;stroke-width:4;stroke-linecap:square;stroke-opacity:.6"},
    {".rowdots", "stroke", "#0072b2", "#56b4e9", "fill:none;stroke-width:4;stroke-linecap:round;stroke-opacity:.5"},
    {".line", "stroke", "#1b1f24", "#e6edf3", "fill:none;stroke-width:2"},
    {".edge", "stroke", "#1b1f24", "#e6edf3", "fill:none;stroke-width:1.2;stroke-dasharray:6 4"},
    {".other", "stroke", "#aa3377", "#ee88bb", "fill:none;stroke-width:2;stroke-dasharray:9 4"},
    {".accent", "stroke", "#aa3377", "#ee88bb", "fill:none;stroke-width:2"},
    {".accentfill", "fill", "#aa3377", "#ee88bb", ""},
    {".band", "fill", "#0072b2", "#56b4e9", "fill-opacity:.13"},
    {".band2", "fill", "#0072b2", "#56b4e9", "fill-opacity:.22"},
    {".margin", "fill", "#1b1f24", "#e6edf3", "fill-opacity:.08"},
    {".ring", "stroke", "#1b1f24", "#e6edf3", "fill:none;stroke-width:1.5"},
    {".curve", "stroke", "#0072b2", "#56b4e9", "fill:none;stroke-width:2"},
    {".curve2", "stroke", "#d55e00", "#f0a04b", "fill:none;stroke-width:2"},
    {".halo", "stroke", "#ffffff", "#0d1117", "stroke-width:4;stroke-linejoin:round;paint-order:stroke"},
    {".solid", "fill", "#1b1f24", "#e6edf3", ""},
};

static void write_rules(FILE *out, bool dark)
{
    fputs(".lp{font-family:system-ui,\"DejaVu Sans\",\"Liberation Sans\",sans-serif}", out);
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        fprintf(out, ".lp %s{%s:%s%s%s}", rules[i].selector, rules[i].property, dark ? rules[i].dark : rules[i].light,
                *rules[i].rest ? ";" : "", rules[i].rest);
}

void svg_style(FILE *out, svg_theme theme)
{
    write_rules(out, theme == SVG_DARK);
    if (theme == SVG_AUTO) {
        fputs("@media screen and (prefers-color-scheme:dark){", out);
        write_rules(out, true);
        fputs("}", out);
    }
}

void svg_open(const svg_document *svg, const char *title, const char *description)
{
    FILE *out = svg->out;
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"lp\" viewBox=\"0 0 %g %g\" role=\"img\" "
            "aria-labelledby=\"t%d d%d\"",
            svg->width, svg->height, svg->id, svg->id);
    if (svg->theme != SVG_INLINE)
        fprintf(out, " width=\"%g\" height=\"%g\"", svg->width, svg->height);
    fprintf(out, ">\n<title id=\"t%d\">", svg->id);
    svg_escape(out, title);
    fprintf(out, "</title>\n<desc id=\"d%d\">", svg->id);
    svg_escape(out, description);
    fputs("</desc>\n", out);
    if (svg->theme != SVG_INLINE) {
        fputs("<style>", out);
        svg_style(out, svg->theme);
        fputs("</style>\n", out);
    }
    fprintf(out, "<rect class=\"bg\" width=\"%g\" height=\"%g\"/>\n", svg->width, svg->height);
}

void svg_close(const svg_document *svg)
{
    fputs("</svg>\n", svg->out);
}

void svg_number(const svg_document *svg, double value)
{
    enum { FARTHEST = 100000 }; /* what is drawn is clipped long before */
    double tenths = round(10.0 * fmax(-FARTHEST, fmin(FARTHEST, value)));
    long whole = isnan(tenths) ? 0 : (long)tenths;
    fprintf(svg->out, whole % 10 ? "%s%ld.%ld" : "%s%ld", whole < 0 ? "-" : "", labs(whole) / 10, labs(whole) % 10);
}

static void write_attribute(const svg_document *svg, const char *name, double value)
{
    fprintf(svg->out, " %s=\"", name);
    svg_number(svg, value);
    fputc('"', svg->out);
}

/* The length of the UTF-8 character at `text`; 0 if it is none, or one that XML does not allow. */
static size_t character(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    if (c[0] < 0x80)
        return c[0] >= 0x20 && c[0] != 0x7F ? 1 : 0;
    size_t length = c[0] >= 0xF0 && c[0] < 0xF5 ? 4 : c[0] >= 0xE0 ? 3 : c[0] >= 0xC2 ? 2 : 0;
    if (c[0] >= 0xF5)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((c[i] & 0xC0u) != 0x80u)
            return 0;
    uint32_t code = c[0] & (0xFFu >> (length + 1));
    for (size_t i = 1; i < length; i++)
        code = code << 6 | (c[i] & 0x3Fu);
    bool overlong = (length == 3 && code < 0x800) || (length == 4 && (code < 0x10000 || code > 0x10FFFF));
    /* Surrogates and noncharacters are no text; marks that turn the direction around would reach into our own words. */
    bool turning = (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069) || code < 0xA0;
    bool nothing = (code >= 0xD800 && code <= 0xDFFF) || code == 0xFFFE || code == 0xFFFF;
    return length == 0 || overlong || turning || nothing ? 0 : length;
}

void svg_escape(FILE *out, const char *text)
{
    while (*text) {
        size_t length = character(text);
        switch (*text) {
        case '&':
            fputs("&amp;", out);
            break;
        case '<':
            fputs("&lt;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        case '"':
            fputs("&quot;", out);
            break;
        case '\'':
            fputs("&#39;", out);
            break;
        case '\n': /* of a name with a line end in it */
            fputs("\\n", out);
            break;
        case '\r':
            fputs("\\r", out);
            break;
        case '\t':
            fputs("\\t", out);
            break;
        default:
            if (length > 0)
                fwrite(text, 1, length, out);
            else
                fputs("\xEF\xBF\xBD", out); /* U+FFFD stands for what is no text */
        }
        text += length > 0 ? length : 1;
    }
}

void svg_line(const svg_document *svg, const char *class_name, double x1, double y1, double x2, double y2)
{
    fprintf(svg->out, "<path class=\"%s\" d=\"M", class_name);
    svg_number(svg, x1);
    fputc(' ', svg->out);
    svg_number(svg, y1);
    fputc('L', svg->out);
    svg_number(svg, x2);
    fputc(' ', svg->out);
    svg_number(svg, y2);
    fputs("\"/>\n", svg->out);
}

void svg_circle(const svg_document *svg, const char *class_name, double x, double y, double radius)
{
    fprintf(svg->out, "<circle class=\"%s\"", class_name);
    write_attribute(svg, "cx", x);
    write_attribute(svg, "cy", y);
    write_attribute(svg, "r", radius);
    fputs("/>\n", svg->out);
}

void svg_text(const svg_document *svg, const char *class_name, double x, double y, svg_anchor anchor,
              const char *format, ...)
{
    static const char *const anchors[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
    char text[640];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(svg->out, "<text class=\"%s\"%s", class_name, anchors[anchor]);
    write_attribute(svg, "x", x);
    write_attribute(svg, "y", y);
    fputc('>', svg->out);
    svg_escape(svg->out, text);
    fputs("</text>\n", svg->out);
}

void svg_open_mark(const svg_document *svg, const char *format, ...)
{
    char text[640];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fputs("<g class=\"mark\"><title>", svg->out);
    svg_escape(svg->out, text);
    fputs("</title>", svg->out);
}

void svg_close_group(const svg_document *svg)
{
    fputs("</g>\n", svg->out);
}

void svg_path_begin(const svg_document *svg, const char *class_name)
{
    fprintf(svg->out, "<path class=\"%s\" d=\"", class_name);
}

void svg_path_to(const svg_document *svg, bool move, double x, double y)
{
    fputc(move ? 'M' : 'L', svg->out);
    svg_number(svg, x);
    fputc(' ', svg->out);
    svg_number(svg, y);
}

void svg_path_end(const svg_document *svg, bool closed)
{
    fputs(closed ? "Z\"/>\n" : "\"/>\n", svg->out);
}

void svg_arrow(const svg_document *svg, const char *class_name, double x1, double y1, double x2, double y2)
{
    enum { HEAD = 8 };
    double length = hypot(x2 - x1, y2 - y1);
    double ux = length > 0 ? (x2 - x1) / length : 1, uy = length > 0 ? (y2 - y1) / length : 0;
    svg_path_begin(svg, class_name);
    svg_path_to(svg, true, x1, y1);
    svg_path_to(svg, false, x2, y2);
    svg_path_to(svg, true, x2 - HEAD * ux - 0.5 * HEAD * uy, y2 - HEAD * uy + 0.5 * HEAD * ux);
    svg_path_to(svg, false, x2, y2);
    svg_path_to(svg, false, x2 - HEAD * ux + 0.5 * HEAD * uy, y2 - HEAD * uy - 0.5 * HEAD * ux);
    svg_path_end(svg, false);
}

/* ---- text ---- */

static double advance_of(const char *text, size_t length, double size)
{
    unsigned char c = (unsigned char)*text;
    bool is_narrow = length == 1 && strchr("iljtf.,:;|!'()[] ", c);
    bool is_wide = length >= 3 && c >= 0xE1 && c != 0xE2; /* most scripts beyond Latin, Greek and Cyrillic */
    if (length == 3 && memcmp(text, "−", 3) == 0)
        return size * 0.84;
    if (c >= '0' && c <= '9')
        return size * 0.64; /* a 1 too: in most fonts digits are as wide as each other */
    return size * (is_wide ? 1.0 : is_narrow ? 0.4 : c >= 'A' && c <= 'Z' ? 0.68 : 0.57);
}

double svg_width_of(const char *text, double size)
{
    double width = 0;
    while (*text) {
        size_t length = character(text);
        length = length > 0 ? length : 1;
        width += advance_of(text, length, size);
        text += length;
    }
    return width;
}

void svg_fit(const char *text, double pixels, double size, char *fitted, size_t bytes)
{
    static const char dots[] = "…";
    size_t used = 0;
    double width = 0;
    bool whole = svg_width_of(text, size) <= pixels;
    while (*text) {
        size_t length = character(text);
        length = length > 0 ? length : 1;
        width += advance_of(text, length, size);
        if (used + length + sizeof dots > bytes || (!whole && width > pixels - size)) {
            memcpy(fitted + used, dots, sizeof dots);
            return;
        }
        memcpy(fitted + used, text, length);
        used += length;
        text += length;
    }
    fitted[used] = '\0';
}

void svg_power(int power, char text[40])
{
    static const char *const superscript[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    char decimal[24];
    int used = snprintf(text, 40, "10%s", power < 0 ? "⁻" : "");
    snprintf(decimal, sizeof decimal, "%d", abs(power));
    for (const char *digit = decimal; *digit && used < 36; digit++)
        used += snprintf(text + used, 40 - (size_t)used, "%s", superscript[*digit - '0']);
}

void svg_people(double value, int digits, char text[40])
{
    enum { MILLIONS = 6 }; /* zeros of larger numbers are hard to count */
    char plain[40], power[40];
    snprintf(plain, sizeof plain, "%.*g", digits, value + 0.0);
    bool minus = *plain == '-'; /* the sign as typographers set it, which screen readers read as "minus" */
    char *exponent = strchr(plain, 'e');
    int mantissa = exponent ? (int)(exponent - plain) - minus : (int)strlen(plain) - minus;
    int ten = exponent ? (int)strtol(exponent + 1, NULL, 10) : 0;
    if (ten > 0 && ten <= MILLIONS && ten + 1 <= mantissa + 4) { /* 14390 is no longer than 1.439·10⁴ */
        snprintf(text, 40, "%s%.0f", minus ? "−" : "", strtod(plain + minus, NULL));
        return;
    }
    int used = snprintf(text, 40, "%s%.*s", minus ? "−" : "", mantissa, plain + minus);
    if (!exponent)
        return;
    svg_power(ten, power);
    snprintf(text + used, 40 - (size_t)used, "·%.20s", power);
}

void svg_count(int64_t count, char text[32])
{
    char plain[24];
    int digits = snprintf(plain, sizeof plain, "%" PRId64, count), used = 0;
    for (int i = 0; i < digits && used < 30; i++) {
        if (i > 0 && (digits - i) % 3 == 0)
            text[used++] = ',';
        text[used++] = plain[i];
    }
    text[used] = '\0';
}
