/* summary.svg: how many clashes of each kind, by severity. Severities differ in lightness and pattern. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "report_file.h"
#include "svg.h"

enum {
    WIDTH = 800,
    LEFT = 130,
    TOP = 70,
    ROW = 44,
    BAR = 26,
    ROOM = 580 /* of the longest bar */
};

static const char *const fills[4] = {"#b9c9d8", "#8fa63a", "#e08a1e", "#8f1236"};

typedef struct counts {
    uint64_t of[6][4], kinds[6], most;
} counts;

static counts count(const tumble_clash_result *result)
{
    counts c = {.most = 1};
    for (size_t i = 0; i < result->clash_count; i++) {
        const tumble_clash *clash = &result->clashes[i];
        if (clash->change != TUMBLE_CHANGE_RESOLVED && clash->change != TUMBLE_CHANGE_UNRETESTED) {
            c.of[clash->kind][clash->severity]++;
            c.kinds[clash->kind]++;
            c.most = c.kinds[clash->kind] > c.most ? c.kinds[clash->kind] : c.most;
        }
    }
    return c;
}

static void write_patterns(FILE *file)
{
    static const char *const marks[4] = {"", "<path d=\"M0 4H8\" stroke=\"#fff\" stroke-width=\"1.5\"/>",
                                         "<path d=\"M0 8L8 0\" stroke=\"#fff\" stroke-width=\"1.5\"/>",
                                         "<path d=\"M0 8L8 0M0 0L8 8\" stroke=\"#fff\" stroke-width=\"1\"/>"};
    fputs("<defs>\n", file);
    for (int severity = 0; severity < 4; severity++) {
        fprintf(file,
                "<pattern id=\"s%d\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\"><rect width=\"8\" "
                "height=\"8\" fill=\"%s\"/>%s</pattern>\n",
                severity, fills[severity], marks[severity]);
    }
    fputs("</defs>\n", file);
}

static void write_legend(FILE *file)
{
    for (int i = 0; i < 4; i++) {
        const int severity = 3 - i, x = LEFT + 130 * i;
        fprintf(file, "<rect x=\"%d\" y=\"42\" width=\"14\" height=\"14\" fill=\"url(#s%d)\"/>\n", x, severity);
        cli_svg_write_text(file, &(cli_svg_text){.x = x + 20, .y = 54, .size = 13},
                           tumble_severity_name((tumble_severity)severity));
    }
}

static void write_bar(FILE *file, const counts *c, int kind, double y)
{
    double x = LEFT;
    char number[24];
    cli_svg_write_text(file,
                       &(cli_svg_text){.x = LEFT - 10, .y = y + 18, .size = 14, .attributes = "text-anchor=\"end\""},
                       tumble_clash_kind_name((tumble_clash_kind)kind));
    for (int severity = 3; severity >= 0; severity--) {
        const double width = ROOM * (double)c->of[kind][severity] / (double)c->most;
        if (width > 0) {
            fprintf(file, "<rect x=\"%.2f\" y=\"%.0f\" width=\"%.2f\" height=\"%d\" fill=\"url(#s%d)\"/>\n", x, y,
                    width, BAR, severity);
        }
        x += width;
    }
    snprintf(number, sizeof number, "%" PRIu64, c->kinds[kind]);
    cli_svg_write_text(file, &(cli_svg_text){.x = x + 6, .y = y + 18, .size = 14}, number);
}

tumble_status clash_report_write_chart(clash_report *report)
{
    const counts c = count(report->result);
    report_file out;
    const tumble_status status = report_file_open(report, "summary.svg", &out);
    if (status != TUMBLE_OK) {
        return status;
    }
    const int height = TOP + 6 * ROW + 10;
    fprintf(out.file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
            "font-family=\"" CLI_SVG_FONT "\" fill=\"#1d2733\">\n<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n",
            WIDTH, height, WIDTH, height, WIDTH, height);
    write_patterns(out.file);
    cli_svg_write_text(out.file, &(cli_svg_text){.x = 20, .y = 28, .size = 18, .room = WIDTH - 40, .bold = 1},
                       report->title);
    write_legend(out.file);
    for (int kind = 0; kind < 6; kind++) {
        write_bar(out.file, &c, kind, TOP + kind * ROW);
    }
    fputs("</svg>\n", out.file);
    return report_file_close(report, &out, status);
}
