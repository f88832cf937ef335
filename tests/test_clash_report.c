/* The page of a clash report: what its data files hold, read back and compared with the result. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cjson/cJSON.h>

#include "clash_report.h"
#include "clash_sample.h"
#include "cli_run.h"
#include "png_read.h"
#include "report_reduce.h"
#include "report_shape.h"
#include "support.h"

typedef struct bytes {
    uint8_t *data;
    size_t size;
} bytes;

static int digit_of(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *found = strchr(digits, c);
    assert_true(c && found);
    return (int)(found - digits);
}

static bytes decode(const char *text, size_t length)
{
    bytes out = {malloc(length + 1), 0};
    assert_int_equal(length % 4, 0);
    for (size_t i = 0; i < length; i += 4) {
        uint32_t bits = 0;
        int count = 3;
        for (size_t k = 0; k < 4; k++) {
            const char c = text[i + k];
            count -= c == '=';
            bits = bits << 6 | (uint32_t)(c == '=' ? 0 : digit_of(c));
        }
        for (int k = 0; k < count; k++) {
            out.data[out.size++] = (uint8_t)(bits >> (16 - 8 * k));
        }
    }
    return out;
}

/* TumbleReport.name(number,"...") */
static bytes decode_file(const char *name)
{
    char *text = cli_read_file(name, NULL);
    char *first = strchr(text, '"') + 1, *last = strrchr(text, '"');
    const bytes found = decode(first, (size_t)(last - first));
    free(text);
    return found;
}

static double column_number(const cJSON *table, const char *name, size_t at)
{
    const char *text = cli_string(table, name), *colon = strchr(text, ':');
    assert_non_null(colon);
    const bytes all = decode(colon + 1, strlen(colon + 1));
    double number = 0;
    if (*text == 'd') {
        memcpy(&number, all.data + 8 * at, 8);
    } else if (*text == 'f') {
        float narrow;
        memcpy(&narrow, all.data + 4 * at, 4);
        number = narrow;
    } else {
        uint32_t whole;
        assert_int_equal(*text, 'u');
        memcpy(&whole, all.data + 4 * at, 4);
        number = whole;
    }
    free(all.data);
    return number;
}

static cJSON *read_tables(void)
{
    char *text = cli_read_file("data/report.js", NULL);
    char *start = strchr(text, '(') + 1;
    cJSON *data = cJSON_ParseWithOpts(start, NULL, 0);
    assert_non_null(data);
    free(text);
    return data;
}

typedef struct fixture {
    tumble_context *context;
    clash_sample *sample;
    clash_report report;
} fixture;

static fixture make(clash_sample *(*create)(tumble_context *context))
{
    fixture f = {0};
    assert_int_equal(tumble_context_create(NULL, &f.context), TUMBLE_OK);
    f.sample = create(f.context);
    assert_non_null(f.sample);
    f.report = (clash_report){.result = clash_sample_result(f.sample), .folder = cli_folder(), .title = "a \"plant\""};
    char path[4096];
    snprintf(path, sizeof path, "%s/clashes.json", cli_folder());
    assert_true(clash_sample_write_json(f.sample, path));
    return f;
}

static void end(fixture *f)
{
    clash_sample_destroy(f->sample);
    tumble_context_destroy(f->context);
}

static void write_page(fixture *f)
{
    const tumble_status status = clash_report_write_page(&f->report);
    assert_string_equal(f->report.error, "");
    assert_int_equal(status, TUMBLE_OK);
}

static void test_tables(void **state)
{
    (void)state;
    fixture f = make(clash_sample_plant);
    write_page(&f);
    const tumble_clash_result *r = f.report.result;
    cJSON *data = read_tables();
    assert_string_equal(cli_string(data, "title"), "a \"plant\"");
    assert_string_equal(cli_string(data, "up"), "z");
    assert_true(cli_number(data, "unit_metres") == 0.001);
    const cJSON *clashes = cli_object(data, "clashes"), *parts = cli_object(data, "parts");
    assert_int_equal(cli_number(clashes, "count"), r->clash_count);
    assert_int_equal(cli_number(parts, "count"), r->part_count);
    for (size_t i = 0; i < r->clash_count; i++) {
        const tumble_clash *c = &r->clashes[i];
        assert_int_equal(column_number(clashes, "kind", i), c->kind);
        assert_int_equal(column_number(clashes, "severity", i), c->severity);
        assert_int_equal(column_number(clashes, "a", i), c->a);
        assert_int_equal(column_number(clashes, "b", i), c->b);
        assert_int_equal(column_number(clashes, "group", i), c->group);
        assert_true(column_number(clashes, "distance", i) == c->distance);
        assert_true(column_number(clashes, "depth", 2 * i + 1) == (c->has_depth ? c->depth[1] : -1));
        for (size_t k = 0; k < 6; k++) {
            const double box = column_number(clashes, "box", 6 * i + k) + c->point[k % 3];
            assert_true(fabs(box - c->box[k / 3][k % 3]) <= 1e-3);
            assert_true(column_number(clashes, "point", 3 * i + k % 3) == c->point[k % 3]);
        }
    }
    const cJSON *names = cli_array(parts, "name");
    for (size_t i = 0; i < r->part_count; i++) {
        assert_string_equal(cJSON_GetArrayItem(names, (int)i)->valuestring, r->parts[i].name);
        for (size_t k = 0; k < 12; k++) {
            assert_true(column_number(parts, "pose", 12 * i + k) == r->parts[i].pose.m[k / 4][k % 4]);
        }
    }
    assert_string_equal(cJSON_GetObjectItem(cli_object(parts, "broken"), "30")->valuestring, "no polygons");
    assert_string_equal(cJSON_GetObjectItem(cli_object(clashes, "review"), "1")->valuestring, "approved");
    cJSON_Delete(data);
    end(&f);
}

/* Every triangle of every model, as floats, in the model's order. */
static void test_geometry(void **state)
{
    (void)state;
    fixture f = make(clash_sample_plant);
    write_page(&f);
    const tumble_clash_result *r = f.report.result;
    const bytes all = decode_file("data/models-0.js");
    size_t at = 0, models = 0;
    while (at < all.size) {
        uint32_t head[4];
        memcpy(head, all.data + at, sizeof head);
        const uint8_t *points = all.data + at + 16, *corners = points + 12 * (size_t)head[1];
        assert_int_equal(head[0], models);
        tumble_model_info info;
        assert_int_equal(tumble_model_get_info(r->models[models], &info), TUMBLE_OK);
        assert_int_equal(head[2], info.triangle_count);
        assert_int_equal(head[3], info.closed);
        for (uint32_t t = 0; t < head[2]; t++) {
            double wanted[3][3];
            assert_int_equal(tumble_model_triangle(r->models[models], t, wanted, NULL), TUMBLE_OK);
            for (int k = 0; k < 9; k++) {
                uint32_t corner;
                float number;
                memcpy(&corner, corners + 4 * (3 * (size_t)t + (size_t)(k / 3)), 4);
                assert_true(corner < head[1]);
                memcpy(&number, points + 12 * (size_t)corner + 4 * (size_t)(k % 3), 4);
                assert_true(number == (float)wanted[k / 3][k % 3]);
            }
        }
        at += 16 + 12 * ((size_t)head[1] + head[2]);
        models++;
    }
    assert_int_equal(models, r->model_count);
    free(all.data);
    end(&f);
}

static void test_curves(void **state)
{
    (void)state;
    fixture f = make(clash_sample_plant);
    write_page(&f);
    const bytes all = decode_file("data/curves-0.js");
    size_t at = 0, curves = 0, expected = 0;
    while (at < all.size) {
        uint32_t head[2];
        memcpy(head, all.data + at, sizeof head);
        const tumble_clash *c = &f.report.result->clashes[head[0]];
        assert_int_equal(head[1], c->segment_count);
        for (size_t k = 0; k < 6 * c->segment_count; k++) {
            float offset;
            memcpy(&offset, all.data + at + 8 + 4 * k, 4);
            assert_true(fabs(offset + c->point[k % 3] - c->segments[k / 6].points[k % 6 / 3][k % 3]) <= 1e-3);
        }
        at += 8 + 24 * c->segment_count;
        curves++;
    }
    for (size_t i = 0; i < f.report.result->clash_count; i++) {
        expected += f.report.result->clashes[i].segment_count > 0;
    }
    assert_true(expected > 10);
    assert_int_equal(curves, expected);
    free(all.data);
    end(&f);
}

/* What the page puts statuses into is clashes.json to the byte. */
static void test_saved(void **state)
{
    (void)state;
    fixture f = make(clash_sample_plant);
    write_page(&f);
    size_t size;
    char *text = cli_read_file("clashes.json", &size);
    const bytes packed = decode_file("data/saved.js");
    uint8_t *unpacked = malloc(size);
    inflate_bytes(packed.data, packed.size, unpacked, size);
    assert_memory_equal(unpacked, text, size);
    free(unpacked);
    free(packed.data);
    free(text);
    end(&f);
}

static void test_page(void **state)
{
    (void)state;
    fixture f = make(clash_sample_plant);
    write_page(&f);
    char *page = cli_read_file("index.html", NULL);
    assert_non_null(strstr(page, "TumbleReport.run()"));
    assert_null(strstr(page, "<!-- s"));
    assert_null(strstr(page, "http://"));
    assert_null(strstr(page, "https://"));
    free(page);
    char *three = cli_read_file("data/three.js", NULL);
    assert_int_equal(strstr(three, "REVISION") != NULL, clash_report_has_view());
    free(three);
    /* The same bytes again. */
    char *before = cli_read_file("data/report.js", NULL);
    write_page(&f);
    char *after = cli_read_file("data/report.js", NULL);
    assert_string_equal(before, after);
    free(before);
    free(after);
    end(&f);
}

/* Of a result with few parts allowed: those that clash, each with what it had. */
static void test_reduced(void **state)
{
    (void)state;
    fixture f = make(clash_sample_plant);
    const tumble_clash_result *r = f.report.result;
    report_reduced all, few;
    assert_int_equal(report_reduce(r, 1000, 1000, &all), TUMBLE_OK);
    assert_int_equal(all.result.part_count, r->part_count);
    assert_int_equal(all.result.clash_count, r->clash_count);
    assert_int_equal(report_reduce(r, 5, 4, &few), TUMBLE_OK);
    assert_int_equal(few.result.clash_count, 4);
    assert_true(few.result.part_count >= 5 && few.result.part_count < r->part_count);
    assert_true(few.result.model_count < r->model_count);
    for (size_t i = 0; i < 4; i++) {
        const tumble_clash *clash = &few.result.clashes[i];
        assert_string_equal(few.result.parts[clash->a].key, r->parts[r->clashes[i].a].key);
        assert_string_equal(few.result.parts[clash->b].key, r->parts[r->clashes[i].b].key);
        assert_ptr_equal(few.result.models[few.result.parts[clash->b].model],
                         r->models[r->parts[r->clashes[i].b].model]);
    }
    size_t broken = 0;
    for (size_t i = 0; i < few.result.part_count; i++) {
        broken += few.result.parts[i].broken[0] != 0;
    }
    assert_int_equal(broken, 1);
    report_reduced_release(&all);
    report_reduced_release(&few);
    end(&f);
}

/* How far a point is from a segment. */
static double distance_to(const double p[3], const double a[3], const double b[3])
{
    double along = 0, square = 0, sum = 0;
    for (int i = 0; i < 3; i++) {
        along += (p[i] - a[i]) * (b[i] - a[i]);
        square += (b[i] - a[i]) * (b[i] - a[i]);
    }
    const double t = square > 0 ? fmin(1, fmax(0, along / square)) : 0;
    for (int i = 0; i < 3; i++) {
        const double gap = p[i] - a[i] - t * (b[i] - a[i]);
        sum += gap * gap;
    }
    return sqrt(sum);
}

/* Corners of round solids are on their surfaces, and reach as far as they do. */
static void test_round(void **state)
{
    (void)state;
    static const double a[3] = {1, 2, 3}, b[3] = {1, 2, 9};
    tumble_context *context;
    tumble_model *models[3];
    assert_int_equal(tumble_context_create(NULL, &context), TUMBLE_OK);
    assert_int_equal(tumble_model_create_ball(context, a, 0.5, NULL, &models[0]), TUMBLE_OK);
    assert_int_equal(tumble_model_create_capsule(context, a, b, 0.5, NULL, &models[1]), TUMBLE_OK);
    assert_int_equal(tumble_model_create_cylinder(context, a, b, 0.5, NULL, &models[2]), TUMBLE_OK);
    for (int m = 0; m < 3; m++) {
        report_shape shape;
        double lower = INFINITY, upper = -INFINITY;
        assert_int_equal(report_shape_make(models[m], REPORT_SHAPE_SIDES, &shape), TUMBLE_OK);
        assert_true(shape.count >= 48);
        for (size_t i = 0; i < 3 * shape.count; i++) {
            const double *p = shape.corners[i / 3][i % 3];
            const double gap = distance_to(p, a, m == 0 ? a : b);
            lower = fmin(lower, p[2]);
            upper = fmax(upper, p[2]);
            assert_true(m == 2 ? gap <= 0.5 + 1e-12 : fabs(gap - 0.5) < 1e-12);
        }
        static const double ends[3][2] = {{2.5, 3.5}, {2.5, 9.5}, {3, 9}};
        assert_true(fabs(lower - ends[m][0]) < 1e-12 && fabs(upper - ends[m][1]) < 1e-12);
        report_shape_release(&shape);
        tumble_model_destroy(models[m]);
    }
    tumble_context_destroy(context);
}

static void test_failures(void **state)
{
    (void)state;
    fixture f = make(clash_sample_plant);
    char path[4096];
    snprintf(path, sizeof path, "%s/clashes.json", cli_folder());
    assert_int_equal(remove(path), 0);
    assert_int_equal(clash_report_write_page(&f.report), TUMBLE_ERROR_FILE);
    assert_non_null(strstr(f.report.error, "clashes.json: cannot be read: No such file"));
    f.report.folder = "/dev/null/folder";
    assert_int_equal(clash_report_write_page(&f.report), TUMBLE_ERROR_FILE);
    assert_non_null(strstr(f.report.error, "/dev/null/folder/data: no folder can be made"));
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_tables, cli_setup, cli_teardown),
        cmocka_unit_test_setup_teardown(test_geometry, cli_setup, cli_teardown),
        cmocka_unit_test_setup_teardown(test_curves, cli_setup, cli_teardown),
        cmocka_unit_test_setup_teardown(test_saved, cli_setup, cli_teardown),
        cmocka_unit_test_setup_teardown(test_page, cli_setup, cli_teardown),
        cmocka_unit_test_setup_teardown(test_reduced, cli_setup, cli_teardown),
        cmocka_unit_test(test_round),
        cmocka_unit_test_setup_teardown(test_failures, cli_setup, cli_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
