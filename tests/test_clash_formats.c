/* CSV, summary, chart, IfcClash and BCF of a clash report, read back by small readers of their own. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bcf.h"
#include "clash_report.h"
#include "clash_sample.h"
#include "cli_run.h"
#include "png_read.h"
#include "support.h"
#include "zip_text.h"

typedef struct fixture {
    tumble_context *context;
    clash_sample *sample;
    clash_report report;
} fixture;

static fixture make(void)
{
    fixture f = {0};
    assert_int_equal(tumble_context_create(NULL, &f.context), TUMBLE_OK);
    f.sample = clash_sample_plant(f.context);
    assert_non_null(f.sample);
    f.report =
        (clash_report){.result = clash_sample_result(f.sample), .folder = cli_folder(), .title = "A <plant> & more"};
    return f;
}

static void end(fixture *f)
{
    clash_sample_destroy(f->sample);
    tumble_context_destroy(f->context);
}

/* ---- CSV ---- */

/* The next cell, unquoted in place; *next is behind the comma or the end of the line. */
static char *read_cell(char **next, int *last)
{
    char *from = *next, *to = from, *cell = from;
    const int quoted = *from == '"';
    for (from += quoted; *from; from++) {
        if (quoted && *from == '"' && from[1] != '"') {
            from++;
            break;
        }
        if (!quoted && (*from == ',' || *from == '\r')) {
            break;
        }
        from += quoted && *from == '"';
        *to++ = *from;
    }
    *last = *from != ',';
    assert_true(*from == ',' || (*from == '\r' && from[1] == '\n'));
    *next = from + (*last ? 2 : 1);
    *to = 0;
    return cell;
}

static void test_csv(void **state)
{
    (void)state;
    fixture f = make();
    assert_int_equal(clash_report_write_csv(&f.report), TUMBLE_OK);
    const tumble_clash_result *r = f.report.result;
    char *text = cli_read_file("clashes.csv", NULL), *next = text;
    for (size_t row = 0; row <= r->clash_count; row++) {
        char *cells[28];
        int last = 0;
        for (int i = 0; i < 28; i++) {
            assert_false(last);
            cells[i] = read_cell(&next, &last);
        }
        assert_true(last);
        if (row == 0) {
            assert_string_equal(cells[27], "comment");
            continue;
        }
        const tumble_clash *c = &r->clashes[row - 1];
        assert_string_equal(cells[0], c->id);
        assert_string_equal(cells[1], tumble_clash_kind_name(c->kind));
        assert_string_equal(cells[3], row == 2 ? "approved" : tumble_change_name(c->change));
        assert_string_equal(cells[6], r->parts[c->a].path);
        assert_string_equal(cells[11], r->parts[c->b].name);
        if (c->has_depth) {
            assert_true(strtod(cells[18], NULL) == c->depth[1]);
        } else {
            assert_string_equal(cells[18], "");
        }
        assert_true(strtod(cells[22], NULL) == c->point[2]);
        assert_string_equal(cells[27], c->comment);
    }
    assert_string_equal(next, "");
    free(text);
    end(&f);
}

/* ---- summary ---- */

static void test_summary(void **state)
{
    (void)state;
    fixture f = make();
    assert_int_equal(clash_report_write_summary(&f.report), TUMBLE_OK);
    assert_int_equal(clash_report_write_chart(&f.report), TUMBLE_OK);
    char *text = cli_read_file("summary.txt", NULL), *chart = cli_read_file("summary.svg", NULL);
    assert_non_null(strstr(text, "A <plant> & more\n"));
    assert_null(strstr(text, "INCOMPLETE"));
    assert_non_null(strstr(text, "lost & <found>: no polygons"));
    for (int kind = 0; kind < 5; kind++) {
        char *line = strstr(text, tumble_clash_kind_name((tumble_clash_kind)kind));
        unsigned long sum = 0;
        assert_non_null(line);
        line += strcspn(line, " ");
        for (int i = 0; i < 4; i++) {
            sum += strtoul(line, &line, 10);
        }
        assert_int_equal(sum, f.report.result->kind_counts[kind]);
    }
    /* The bars are as long as the counts. */
    double widths[4] = {0};
    for (char *bar = chart; (bar = strstr(bar, "height=\"26\" fill=\"url(#s")); bar++) {
        const char *width = bar;
        while (strncmp(width, "width=\"", 7) != 0) {
            width--;
        }
        widths[bar[24] - '0'] += strtod(width + 7, NULL);
    }
    double counts[4] = {0};
    for (size_t i = 0; i < f.report.result->clash_count; i++) {
        counts[f.report.result->clashes[i].severity]++;
    }
    for (int severity = 0; severity < 4; severity++) {
        assert_true(fabs(widths[severity] / widths[2] - counts[severity] / counts[2]) < 0.01);
    }
    assert_non_null(strstr(chart, "A &lt;plant&gt; &amp; more"));
    free(text);
    free(chart);
    clash_sample_result(f.sample)->complete = false;
    assert_int_equal(clash_report_write_summary(&f.report), TUMBLE_OK);
    text = cli_read_file("summary.txt", NULL);
    assert_non_null(strstr(text, "INCOMPLETE"));
    free(text);
    end(&f);
}

/* ---- IfcClash ---- */

static void test_ifcclash(void **state)
{
    (void)state;
    fixture f = make();
    assert_int_equal(clash_report_write_ifcclash(&f.report), TUMBLE_OK);
    const tumble_clash_result *r = f.report.result;
    char *text = cli_read_file("clashes.ifcclash.json", NULL);
    cJSON *sets = cJSON_Parse(text);
    assert_int_equal(cJSON_GetArraySize(sets), 2);
    size_t found = 0;
    for (size_t i = 0; i < r->clash_count; i++) {
        const tumble_clash *c = &r->clashes[i];
        const cJSON *set = cJSON_GetArrayItem(sets, (int)c->rule);
        char key[600];
        snprintf(key, sizeof key, "%s-%s", c->key_a, c->key_b);
        const cJSON *item = cJSON_GetObjectItemCaseSensitive(cli_object(set, "clashes"), key);
        assert_non_null(item);
        assert_string_equal(cli_string(item, "a_name"), r->parts[c->a].name);
        assert_string_equal(cli_string(item, "b_ifc_class"), r->parts[c->b].class_name);
        assert_string_equal(cli_string(item, "type"), c->kind == TUMBLE_CLASH_CLEARANCE ? "clearance" : "collision");
        assert_true(fabs(cli_number(item, "distance") - c->distance / 1000) < 1e-12);
        const double x = cJSON_GetArrayItem(cli_array(item, "p1"), 0)->valuedouble;
        assert_true(fabs(x - (c->distance > 0 ? c->nearest[0][0] : c->point[0]) / 1000) < 1e-12);
        found++;
    }
    assert_int_equal(found, cJSON_GetArraySize(cli_object(cJSON_GetArrayItem(sets, 0), "clashes")) +
                                cJSON_GetArraySize(cli_object(cJSON_GetArrayItem(sets, 1), "clashes")));
    assert_string_equal(cli_string(cJSON_GetArrayItem(sets, 1), "mode"), "clearance");
    assert_true(fabs(cli_number(cJSON_GetArrayItem(sets, 1), "clearance") - 0.04) < 1e-12);
    cJSON_Delete(sets);
    free(text);
    end(&f);
}

/* ---- ZIP ---- */

typedef struct archive {
    uint8_t *bytes;
    size_t size, count, directory;
} archive;

static uint32_t number_at(const archive *a, size_t at, int size)
{
    uint32_t number = 0;
    assert_true(at + (size_t)size <= a->size);
    for (int i = 0; i < size; i++) {
        number |= (uint32_t)a->bytes[at + (size_t)i] << (8 * i);
    }
    return number;
}

static archive read_archive(const char *name)
{
    archive a;
    a.bytes = (uint8_t *)cli_read_file(name, &a.size);
    const size_t tail = a.size - 22;
    assert_int_equal(number_at(&a, tail, 4), 0x06054b50);
    a.count = number_at(&a, tail + 10, 2);
    a.directory = number_at(&a, tail + 16, 4);
    assert_int_equal(a.directory + number_at(&a, tail + 12, 4), tail);
    return a;
}

/* The name and the content of entry n, both to be freed; both headers must agree. */
static char *entry(const archive *a, size_t n, uint8_t **content, size_t *size)
{
    size_t at = a->directory;
    for (size_t i = 0; i < n; i++) {
        at += 46 + number_at(a, at + 28, 2);
    }
    const size_t start = number_at(a, at + 42, 4), packed = number_at(a, at + 20, 4), length = number_at(a, at + 28, 2);
    assert_int_equal(number_at(a, at, 4), 0x02014b50);
    assert_int_equal(number_at(a, start, 4), 0x04034b50);
    for (size_t k = 0; k < 22; k += 2) {
        assert_int_equal(number_at(a, at + 6 + k, 2), number_at(a, start + 4 + k, 2));
    }
    *size = number_at(a, at + 24, 4);
    *content = calloc(*size + 1, 1);
    const uint8_t *data = a->bytes + start + 30 + length;
    if (number_at(a, at + 10, 2) == 8) {
        assert_int_equal(cli_inflate(data, packed, *content, *size), *size);
    } else {
        assert_int_equal(packed, *size);
        memcpy(*content, data, *size);
    }
    uint32_t check = UINT32_MAX;
    for (size_t i = 0; i < *size; i++) {
        check ^= (*content)[i];
        for (int k = 0; k < 8; k++) {
            check = check >> 1 ^ (check & 1 ? 0xedb88320U : 0);
        }
    }
    assert_int_equal(~check, number_at(a, at + 16, 4));
    char *name = calloc(length + 1, 1);
    memcpy(name, a->bytes + at + 46, length);
    return name;
}

/* A file of the archive whose path ends like this, the n-th; to be freed. */
static char *find(const archive *a, const char *ending, size_t n, size_t *size)
{
    for (size_t i = 0; i < a->count; i++) {
        uint8_t *content;
        char *name = entry(a, i, &content, size);
        const size_t length = strlen(name), end_length = strlen(ending);
        const int fits = length >= end_length && strcmp(name + length - end_length, ending) == 0;
        free(name);
        if (fits && n-- == 0) {
            return (char *)content;
        }
        free(content);
    }
    fail_msg("no %s", ending);
    return NULL;
}

/* ---- XML ---- */

/* Every element is closed in turn, and characters are escaped. */
static void check_well_formed(const char *text)
{
    char open[16][40];
    int depth = 0;
    assert_int_equal(strncmp(text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", 39), 0);
    for (text += 39; *text; text++) {
        assert_true(*text != '>');
        if (*text == '&') {
            assert_true(strncmp(text, "&lt;", 4) == 0 || strncmp(text, "&gt;", 4) == 0 ||
                        strncmp(text, "&amp;", 5) == 0 || strncmp(text, "&quot;", 6) == 0);
        }
        if (*text != '<') {
            continue;
        }
        const int closing = text[1] == '/';
        const size_t length = strcspn(text + 1 + closing, " />");
        const char *name = text + 1 + closing, *over = strchr(text, '>');
        assert_true(length < sizeof open[0] && over);
        if (closing) {
            assert_true(depth > 0);
            depth--;
            assert_true(strlen(open[depth]) == length && strncmp(open[depth], name, length) == 0);
        } else if (over[-1] != '/') {
            assert_true(depth < 16);
            snprintf(open[depth], sizeof open[0], "%.*s", (int)length, name);
            depth++;
        }
        text = over;
    }
    assert_int_equal(depth, 0);
}

/* Elements in this order, each once, as far as they are there; those with a + must be. */
static void check_order(const char *text, const char *const *names)
{
    const char *last = text;
    for (; *names; names++) {
        const int needed = **names == '+';
        char start[60];
        snprintf(start, sizeof start, "\n<%s", *names + needed);
        const char *at = strstr(text, start);
        if (needed && !at) {
            fail_msg("no %s in %s", *names, text);
        }
        if (at) {
            assert_true(at >= last);
            last = at;
        }
    }
}

static void check_guid(const char *text)
{
    for (int i = 0; i < 36; i++) {
        const int dash = i == 8 || i == 13 || i == 18 || i == 23;
        assert_true(dash ? text[i] == '-' : strchr("0123456789abcdef", text[i]) != NULL);
    }
    assert_int_equal(text[36], '"');
}

static void read_vector(const char *text, const char *name, double out[3])
{
    const char *at = strstr(text, name);
    assert_non_null(at);
    for (int i = 0; i < 3; i++) {
        const char tag[4] = {'<', "XYZ"[i], '>', 0};
        at = strstr(at, tag) + 3;
        out[i] = strtod(at, NULL);
    }
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* ---- BCF ---- */

static const char *const markup_order[2][20] = {
    {"+Markup", "+Header", "+File", "+Topic", "+Title", "+Priority", "+Index", "+Labels", "+CreationDate",
     "+CreationAuthor", "+Description", "Comment", "+Viewpoints", NULL},
    {"+Markup", "+Header", "+Files", "+File", "+Topic", "+Title", "+Priority", "+Index", "+Labels", "+CreationDate",
     "+CreationAuthor", "+Description", "Comments", "+Viewpoints", "+ViewPoint", NULL}};
static const char *const view_order[2][16] = {
    {"+Components", "+Selection", "+Visibility", "+Coloring", "+PerspectiveCamera", "+CameraViewPoint",
     "+CameraDirection", "+CameraUpVector", "+FieldOfView", "Lines", NULL},
    {"+Components", "+Selection", "+Visibility", "+Coloring", "+PerspectiveCamera", "+CameraViewPoint",
     "+CameraDirection", "+CameraUpVector", "+FieldOfView", "+AspectRatio", "Lines", NULL}};

static void check_markup(const fixture *f, const char *markup, size_t group, int version)
{
    const tumble_clash_result *r = f->report.result;
    check_well_formed(markup);
    check_order(markup, markup_order[version]);
    const char *guid = strstr(markup, "<Topic Guid=\"") + 13;
    check_guid(guid);
    assert_int_equal(strncmp(guid, r->groups[group].id, 8), 0);
    char title[200];
    snprintf(title, sizeof title, "<Title>%s: %zu clash%s</Title>", r->groups[group].name, r->groups[group].clash_count,
             r->groups[group].clash_count == 1 ? "" : "es");
    assert_non_null(strstr(markup, title));
    for (size_t i = 0; i < r->groups[group].clash_count; i++) {
        assert_non_null(strstr(markup, r->clashes[r->groups[group].clashes[i]].id));
    }
}

static void check_view(const fixture *f, const char *view, size_t group, int version)
{
    const tumble_clash_result *r = f->report.result;
    double eye[3], direction[3], up[3], middle[3], box[2][3];
    check_well_formed(view);
    check_order(view, view_order[version]);
    read_vector(view, "<CameraViewPoint>", eye);
    read_vector(view, "<CameraDirection>", direction);
    read_vector(view, "<CameraUpVector>", up);
    assert_true(fabs(dot(direction, direction) - 1) < 1e-12 && fabs(dot(up, up) - 1) < 1e-12);
    assert_true(fabs(dot(direction, up)) < 1e-12 && up[2] > 0);
    /* It looks at the middle of what meets, in metres, and both parts of every clash are selected. */
    for (size_t i = 0; i < r->groups[group].clash_count; i++) {
        const tumble_clash *c = &r->clashes[r->groups[group].clashes[i]];
        for (int k = 0; k < 3; k++) {
            box[0][k] = i ? fmin(box[0][k], c->box[0][k]) : c->box[0][k];
            box[1][k] = i ? fmax(box[1][k], c->box[1][k]) : c->box[1][k];
        }
        for (int side = 0; side < 2; side++) {
            char id[300];
            snprintf(id, sizeof id, "<AuthoringToolId>%s</AuthoringToolId>", side ? c->key_b : c->key_a);
            const char *selected = strstr(view, id);
            assert_true(selected && selected < strstr(view, "</Selection>"));
        }
    }
    for (int k = 0; k < 3; k++) {
        middle[k] = (box[0][k] + box[1][k]) / 2000 - eye[k];
    }
    const double distance = sqrt(dot(middle, middle));
    assert_true(distance > 0.01 && distance < 30);
    assert_true(fabs(dot(middle, direction) - distance) < 1e-9 * distance);
}

/* A is blue and B orange; of equal parts at one place only one is seen. */
static void check_picture(const char *bytes, size_t size, int both)
{
    png_image image = png_read((const uint8_t *)bytes, size);
    size_t blue = 0, orange = 0, ground = 0;
    assert_int_equal(image.width, 640);
    assert_int_equal(image.height, 480);
    for (uint32_t i = 0; i < 640 * 480; i++) {
        const uint32_t colour = png_pixel(&image, i % 640, i / 640);
        const uint32_t r = colour >> 16, g = colour >> 8 & 255, b = colour & 255;
        ground += colour == 0xf6f7f8;
        blue += b > r + 40 && b > g;
        orange += r > b + 60 && g > b + 20 && r > g;
    }
    assert_true(blue + orange > 200 && ground > 1000);
    assert_true(!both || (blue > 100 && orange > 100));
    free(image.pixels);
}

static void check_bcf(const fixture *f, const char *name, int version)
{
    const archive a = read_archive(name);
    const size_t groups = f->report.result->group_count;
    assert_int_equal(a.count, (version == BCF_3_0 ? 2 : 1) + 4 * groups);
    size_t size;
    char *text = find(&a, "bcf.version", 0, &size);
    check_well_formed(text);
    assert_non_null(strstr(text, version == BCF_3_0 ? "VersionId=\"3.0\"" : "VersionId=\"2.1\""));
    free(text);
    for (size_t group = 0; group < groups; group++) {
        text = find(&a, "/markup.bcf", group, &size);
        check_markup(f, text, group, version);
        free(text);
        text = find(&a, "/viewpoint.bcfv", group, &size);
        check_view(f, text, group, version);
        free(text);
        text = find(&a, "/snapshot.png", group, &size);
        const tumble_clash_group *g = &f->report.result->groups[group];
        check_picture(text, size, f->report.result->clashes[g->clashes[0]].kind != TUMBLE_CLASH_DUPLICATE);
        free(text);
    }
    free(a.bytes);
}

static void test_bcf(void **state)
{
    (void)state;
    fixture f = make();
    assert_int_equal(clash_report_write_bcf(&f.report), TUMBLE_OK);
    check_bcf(&f, "clashes-2.1.bcf", BCF_2_1);
    check_bcf(&f, "clashes-3.0.bcf", BCF_3_0);
    const archive a = read_archive("clashes-3.0.bcf");
    size_t size;
    char *extensions = find(&a, "extensions.xml", 0, &size), *markup = find(&a, "/markup.bcf", 0, &size);
    check_well_formed(extensions);
    assert_non_null(strstr(extensions, "<TopicType>Clash</TopicType>"));
    assert_non_null(strstr(extensions, "<TopicStatus>Open</TopicStatus>"));
    assert_non_null(strstr(markup, "Stands on the floor: &quot;fine&quot; &lt;/script&gt;"));
    free(extensions);
    free(markup);
    free(a.bytes);
    end(&f);
}

/* The same bytes for the same result; another viewpoint, but the same topic, when a part has moved. */
static void test_stable(void **state)
{
    (void)state;
    fixture f = make();
    size_t sizes[2];
    assert_int_equal(setenv("SOURCE_DATE_EPOCH", "1700000000", 1), 0);
    assert_int_equal(clash_report_write_bcf(&f.report), TUMBLE_OK);
    char *before = cli_read_file("clashes-3.0.bcf", &sizes[0]);
    assert_int_equal(clash_report_write_bcf(&f.report), TUMBLE_OK);
    char *after = cli_read_file("clashes-3.0.bcf", &sizes[1]);
    assert_int_equal(sizes[0], sizes[1]);
    assert_memory_equal(before, after, sizes[0]);
    bcf_topic topic, moved;
    assert_int_equal(bcf_topic_make(&f.report, 0, "2020-01-01T00:00:00Z", &topic), TUMBLE_OK);
    ((tumble_clash *)(uintptr_t)&f.report.result->clashes[0])->box[0][0] -= 10000;
    assert_int_equal(bcf_topic_make(&f.report, 0, "2020-01-01T00:00:00Z", &moved), TUMBLE_OK);
    assert_string_equal(topic.guid.text, moved.guid.text);
    assert_string_not_equal(topic.viewpoint.text, moved.viewpoint.text);
    const archive a = read_archive("clashes-3.0.bcf");
    size_t size;
    char *markup = find(&a, "/markup.bcf", 0, &size);
    assert_non_null(strstr(markup, "<CreationDate>2023-11-14T22:13:20Z</CreationDate>"));
    free(markup);
    free(a.bytes);
    bcf_topic_release(&topic);
    bcf_topic_release(&moved);
    free(before);
    free(after);
    assert_int_equal(unsetenv("SOURCE_DATE_EPOCH"), 0);
    end(&f);
}

/* A group that a person has dealt with carries the word; real GUIDs are used as they are. */
static void test_status(void **state)
{
    (void)state;
    fixture f = make();
    const tumble_clash_group *group = &f.report.result->groups[1];
    assert_string_equal(bcf_status(&f.report, group), "Open");
    for (size_t i = 0; i < group->clash_count; i++) {
        tumble_clash *clash = (tumble_clash *)(uintptr_t)&f.report.result->clashes[group->clashes[i]];
        clash->change = TUMBLE_CHANGE_PERSISTENT;
        clash->review = "approved";
    }
    assert_string_equal(bcf_status(&f.report, group), "approved");
    ((tumble_assembly_part *)(uintptr_t)f.report.result->parts)[group->part].guid = "0123456789abcdefABC_$x";
    assert_int_equal(clash_report_write_bcf(&f.report), TUMBLE_OK);
    const archive a = read_archive("clashes-3.0.bcf");
    size_t size;
    char *markup = find(&a, "/markup.bcf", 1, &size), *view = find(&a, "/viewpoint.bcfv", 1, &size);
    char *extensions = find(&a, "extensions.xml", 0, &size);
    assert_non_null(strstr(markup, "TopicStatus=\"approved\""));
    assert_non_null(strstr(view, "<Component IfcGuid=\"0123456789abcdefABC_$x\"/>"));
    assert_non_null(strstr(extensions, "<TopicStatus>approved</TopicStatus>"));
    free(markup);
    free(view);
    free(extensions);
    free(a.bytes);
    end(&f);
}

/* Names with bytes that no UTF-8 and no XML has. */
static void test_hostile(void **state)
{
    (void)state;
    fixture f = make();
    const tumble_clash *clash = &f.report.result->clashes[0];
    tumble_assembly_part *part = &((tumble_assembly_part *)(uintptr_t)f.report.result->parts)[clash->a];
    part->name = "\x01<\xff]]>&\"\xc0\x80\xed\xa0\x80,\r\n\xf0\x9f\x94\xa9";
    part->guid = "not 22 & so no GUID";
    ((tumble_clash_group *)(uintptr_t)f.report.result->groups)[0].name = part->name;
    assert_int_equal(clash_report_write_bcf(&f.report), TUMBLE_OK);
    assert_int_equal(clash_report_write_ifcclash(&f.report), TUMBLE_OK);
    assert_int_equal(clash_report_write_csv(&f.report), TUMBLE_OK);
    const archive a = read_archive("clashes-3.0.bcf");
    size_t size;
    char *markup = find(&a, "/markup.bcf", 0, &size), *view = find(&a, "/viewpoint.bcfv", 0, &size);
    check_well_formed(markup);
    check_well_formed(view);
    assert_null(strchr(markup, 1));
    assert_null(strchr(markup, '\xff'));
    assert_non_null(strstr(markup, "\xf0\x9f\x94\xa9"));
    free(markup);
    free(view);
    free(a.bytes);
    char *text = cli_read_file("clashes.ifcclash.json", NULL);
    cJSON *json = cJSON_Parse(text);
    assert_non_null(json);
    cJSON_Delete(json);
    free(text);
    text = cli_read_file("clashes.csv", NULL);
    char *next = strchr(text, '\n') + 1, *cell = NULL;
    int last = 0;
    for (int i = 0; i < 6; i++) {
        cell = read_cell(&next, &last);
    }
    assert_string_equal(cell, part->name);
    free(text);
    end(&f);
}

static void test_failure(void **state)
{
    (void)state;
    fixture f = make();
    tumble_status (*const writers[])(clash_report *) = {clash_report_write_csv, clash_report_write_summary,
                                                        clash_report_write_chart, clash_report_write_ifcclash,
                                                        clash_report_write_bcf};
    f.report.folder = "/dev/null/x";
    for (size_t i = 0; i < sizeof writers / sizeof *writers; i++) {
        f.report.error[0] = 0;
        assert_int_equal(writers[i](&f.report), TUMBLE_ERROR_FILE);
        assert_non_null(strstr(f.report.error, "/dev/null/x/"));
    }
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_csv, cli_setup, cli_teardown),
        cmocka_unit_test_setup_teardown(test_summary, cli_setup, cli_teardown),
        cmocka_unit_test_setup_teardown(test_ifcclash, cli_setup, cli_teardown),
        cmocka_unit_test_setup_teardown(test_bcf, cli_setup, cli_teardown),
        cmocka_unit_test_setup_teardown(test_stable, cli_setup, cli_teardown),
        cmocka_unit_test_setup_teardown(test_status, cli_setup, cli_teardown),
        cmocka_unit_test_setup_teardown(test_hostile, cli_setup, cli_teardown),
        cmocka_unit_test_setup_teardown(test_failure, cli_setup, cli_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
