/* Lists of parts as CSV and JSON, and the reader of JSON: what they mean, where they are wrong, memory. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/json_read.h"
#include "part_list.h"
#include "scenes.h"

typedef tumble_status list_reader(const tmb_source *source, cli_part_list *out);

static tumble_status read_text(tumble_context *context, list_reader *read, const char *text, cli_part_list *list)
{
    const size_t size = strlen(text);
    char *copy = malloc(size + 1); /* of the exact size, so that nothing is read after it unnoticed */
    memcpy(copy, text, size + 1);
    char *exact = realloc(copy, size ? size : 1);
    const tmb_source source = {context, "list", exact, size};
    memset(list, 0, sizeof *list);
    const tumble_status status = read(&source, list);
    free(exact);
    return status;
}

static void expect(tumble_context *context, list_reader *read, const char *text, const char *expected)
{
    char out[2048] = "";
    cli_part_list list;
    assert_int_equal(read_text(context, read, text, &list), TUMBLE_OK);
    for (size_t i = 0; i < list.count; i++) {
        const cli_listed_part *part = (const cli_listed_part *)list.parts.data + i;
        for (int j = 0; j < CLI_LIST_WORDS; j++) {
            snprintf(out + strlen(out), sizeof out - strlen(out), "%s|", part->words[j]);
        }
        snprintf(out + strlen(out), sizeof out - strlen(out), "%g %g %g\n", part->pose[0], part->pose[3],
                 part->pose[11]);
    }
    assert_string_equal(out, expected);
    cli_part_list_release(context, &list);
}

static void refuse(tumble_context *context, list_reader *read, const char *text, const char *line, const char *word)
{
    cli_part_list list;
    const tumble_status status = read_text(context, read, text, &list);
    test_assert_status(context, status, TUMBLE_ERROR_FORMAT, line);
    test_assert_status(context, status, TUMBLE_ERROR_FORMAT, word);
    cli_part_list_release(context, &list);
}

static void test_csv(void **state)
{
    tumble_context *context = ((test_world *)*state)->context;
    expect(context, cli_part_list_of_csv, "file\na.obj", "|a.obj||||||1 0 0\n");
    expect(context, cli_part_list_of_csv,
           "\xef\xbb\xbfName, FILE ,pose\r\n\r\nbolt,a.obj,\r\n,\"b,\"\"1\"\".obj\",1 0 0 5 0 1 0 0 0 0 1 7\r\n,,\r\n",
           "bolt|a.obj||||||1 0 0\n|b,\"1\".obj||||||1 5 7\n");
    expect(context, cli_part_list_of_csv, "file;name;class;material;guid;path\nf; a b ;IfcWall;steel;0x;up/down;;\n",
           "a b|f||up/down|0x|IfcWall|steel|1 0 0\n");
    expect(context, cli_part_list_of_csv, "file\tpose\nf\t-1 0 0 .5 0 1e0 0 0 0 0 1 -2\n", "|f||||||-1 0.5 -2\n");
}

static void test_wrong_csv(void **state)
{
    tumble_context *context = ((test_world *)*state)->context;
    list_reader *csv = cli_part_list_of_csv;
    refuse(context, csv, "", "line 1", "empty");
    refuse(context, csv, "\n\n ,,\n", "line 3", "the column '' is unknown");
    refuse(context, csv, "name,pose\n", "line 1", "no column is called file");
    refuse(context, csv, "file,colour\n", "line 1", "'colour' is unknown");
    refuse(context, csv, "file,file\n", "line 1", "two columns are called file");
    refuse(context, csv, "file,name\na,b\nc,d,e\n", "line 3", "more fields than the first one, 2");
    refuse(context, csv, "name,file\nx,\n", "line 2", "'x' has no file");
    refuse(context, csv, "file\n\"a", "line 2", "not closed");
    refuse(context, csv, "file\n\"a\"b\n", "line 2", "follows a closed quotation mark");
    refuse(context, csv, "file,pose\na,1 2 3\n", "line 2", "3 numbers");
    refuse(context, csv, "file,pose\na,1\n", "line 2", "1 number:");
    refuse(context, csv, "file,pose\na,\"1 0 0 0 0 1 0 0 0 0 1 0\"\nb,1 2x\n", "line 3", "'2x'");
}

static void test_json(void **state)
{
    tumble_context *context = ((test_world *)*state)->context;
    list_reader *json = cli_part_list_of_json;
    expect(context, json, "[]", "");
    expect(context, json, "{\"parts\" : [ {\"file\":\"a\"} ] }", "|a||||||1 0 0\n");
    expect(context, json,
           "[{\"file\":\"a\\\\b\\u00e4\\ud83d\\ude00\\/\",\"name\":null,\"pose\":[2,0,0,-1.5e1,0,2,0,0,0,0,2,3]},\n"
           "{\"pose\":\"1 0 0 4 0 1 0 0 0 0 1 0\",\"file\":\"c\",\"class\":\"x\",\"guid\":\"g\"}]",
           "|a\\b\xc3\xa4\xf0\x9f\x98\x80/||||||2 -15 3\n|c|||g|x||1 4 0\n");
}

static void test_wrong_json(void **state)
{
    tumble_context *context = ((test_world *)*state)->context;
    static const struct {
        const char *text, *line, *word;
    } cases[] = {{"", "line 1", "the end of the file"},
                 {"{}", "line 1", "no parts"},
                 {"{\"part\":[]}", "line 1", "'part' is unknown"},
                 {"[\n{\"name\":\"q\"}]", "line 2", "'q' has no file"},
                 {"[{\"file\":1}]", "line 1", "a text in quotes"},
                 {"[{\"file\":\"a\",\n\"pose\":[1,2]}]", "line 2", "2 numbers: give 12"},
                 {"[{\"file\":\"a\",\"pose\":\"1 2\"}]", "line 1", "2 numbers: give 12"},
                 {"[{\"file\":\"a\",\"pose\":[01]}]", "line 1", "a number"},
                 {"[{\"file\":\"a\",\"pose\":[1.]}]", "line 1", "a number"},
                 {"[{\"file\":\"a\",\"pose\":[1e]}]", "line 1", "a number"},
                 {"[{\"file\":\"a\",\"pose\":[1e999]}]", "line 1", "a double can hold"},
                 {"[{\"file\":\"a\",\"pose\":[nan]}]", "line 1", "a number"},
                 {"[{\"file\":\"a\"},]", "line 1", "an object"},
                 {"[{\"file\":\"a\"} {}]", "line 1", "a comma or ]"},
                 {"[{\"file\":\"a\" \"name\":\"b\"}]", "line 1", "a comma or }"},
                 {"[{\"file\" \"a\"}]", "line 1", "a colon"},
                 {"[{file:\"a\"}]", "line 1", "a name in quotes"},
                 {"[{\"file\":\"a}]", "line 1", "not closed"},
                 {"[{\"file\":\"a\n\"}]", "line 1", "not closed"},
                 {"[{\"file\":\"\\u0000\"}]", "line 1", "stands for no character"},
                 {"[{\"file\":\"\\ud800x\"}]", "line 1", "stands for no character"},
                 {"[{\"file\":\"\\ud800\\u0041\"}]", "line 1", "stands for no character"},
                 {"[{\"file\":\"\\x\"}]", "line 1", "stands for no character"},
                 {"[] 1", "line 1", "where there should be the end"},
                 {"[{\"file\":nul}]", "line 1", "a value"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        refuse(context, cli_part_list_of_json, cases[i].text, cases[i].line, cases[i].word);
    }
}

/* Values of every kind, which nobody wants. */
static void test_skipping(void **state)
{
    static const char text[] = "{\"a\":[1,{\"b\":[[],{},\"x\",true,false,null,-1.5e-3]}],\"c\":{},\"d\":12}";
    const tmb_source source = {((test_world *)*state)->context, NULL, text, sizeof text - 1};
    tmb_json_reader json;
    uint64_t found = 0;
    tmb_json_begin(&json, &source);
    tmb_json_enter(&json, '{');
    for (const char *key; (key = tmb_json_key(&json)) != NULL;) {
        if (strcmp(key, "d") == 0) {
            found = tmb_json_read_whole(&json, 12);
        } else {
            tmb_json_skip(&json);
        }
    }
    assert_int_equal(tmb_json_end(&json), TUMBLE_OK);
    assert_true(found == 12);
}

static void test_depth(void **state)
{
    tumble_context *context = ((test_world *)*state)->context;
    char text[200];
    memset(text, '[', sizeof text);
    tmb_json_reader json;
    const tmb_source source = {context, NULL, text, sizeof text};
    tmb_json_begin(&json, &source);
    tmb_json_skip(&json);
    test_assert_status(context, tmb_json_end(&json), TUMBLE_ERROR_FORMAT, "more than 64 deep");
}

static void expect_whole(tumble_context *context, const char *text, int is_good)
{
    const tmb_source source = {context, NULL, text, strlen(text)};
    tmb_json_reader json;
    tmb_json_begin(&json, &source);
    (void)tmb_json_read_whole(&json, 100);
    assert_int_equal(tmb_json_end(&json) == TUMBLE_OK, is_good);
}

static void test_whole(void **state)
{
    tumble_context *context = ((test_world *)*state)->context;
    expect_whole(context, "100", 1);
    expect_whole(context, "0", 1);
    expect_whole(context, "101", 0);
    expect_whole(context, "-1", 0);
    expect_whole(context, "1.5", 0);
    expect_whole(context, "true", 0);
    expect_whole(context, "", 0);
}

static tumble_status read_both(test_world *w, void *user)
{
    static const char *const texts[] = {"name,file,pose\na,\"b\",1 0 0 0 0 1 0 0 0 0 1 0\n",
                                        "[{\"file\":\"a\\n\",\"class\":\"c\",\"pose\":[1,0,0,0,0,1,0,0,0,0,1,0]}]"};
    tumble_status status = TUMBLE_OK;
    (void)user;
    for (int i = 0; i < 2 && status == TUMBLE_OK; i++) {
        cli_part_list list;
        status = read_text(w->context, i ? cli_part_list_of_json : cli_part_list_of_csv, texts[i], &list);
        cli_part_list_release(w->context, &list);
    }
    return status;
}

static void test_memory(void **state)
{
    assert_true(test_fail_each(*state, TEST_FAIL_TAKING_TURNS, read_both, NULL, NULL) > 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST_IN_WORLD(test_csv),      TEST_IN_WORLD(test_wrong_csv),
                                       TEST_IN_WORLD(test_json),     TEST_IN_WORLD(test_wrong_json),
                                       TEST_IN_WORLD(test_skipping), TEST_IN_WORLD(test_depth),
                                       TEST_IN_WORLD(test_whole),    TEST_IN_WORLD(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
