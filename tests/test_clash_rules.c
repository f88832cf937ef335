/* Rules: each must find exactly those clashes of a run without rules that a function of this file lets through. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clash/rules.h"
#include "scenes.h"

enum {
    MOST = 60
};

/* A box in a tree: "hall/zone 1/walls/part 7", of class "IfcWall". */
typedef struct block {
    int lower[3], size[3];
    char name[24], path[80], file[16], class_name[16];
    uint32_t host;
} block;

typedef struct yard {
    block blocks[MOST];
} yard;

static const char *const types[] = {"Wall", "Pipe", "Duct"};

static void make_yard(yard *y, test_random *random)
{
    for (int i = 0; i < MOST; i++) {
        block *b = &y->blocks[i];
        *b = (block){.host = UINT32_MAX};
        for (int j = 0; j < 3; j++) {
            b->lower[j] = test_random_whole(random, -9, 9);
            b->size[j] = test_random_whole(random, 1, 5);
        }
        const char *type = types[test_random_whole(random, 0, 2)];
        const int zone = test_random_whole(random, 1, 3);
        snprintf(b->name, sizeof b->name, "part %d", i);
        snprintf(b->file, sizeof b->file, "file %d", test_random_whole(random, 0, 1));
        snprintf(b->path, sizeof b->path, "hall/zone %d/%ss/part %d", zone, type, i);
        snprintf(b->class_name, sizeof b->class_name, "Ifc%s", type);
        if (i > 0 && test_random_chance(random, 0.5)) {
            b->host = (uint32_t)test_random_whole(random, 0, i - 1);
        }
    }
}

static tumble_assembly *assemble(test_world *w, const yard *y)
{
    static const uint32_t sides[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                          {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    tumble_assembly *assembly;
    assert_int_equal(tumble_assembly_create(w->context, &assembly), TUMBLE_OK);
    for (uint32_t i = 0; i < MOST; i++) {
        const block *b = &y->blocks[i];
        double points[8][3], transform[12] = {1, 0, 0, b->lower[0], 0, 1, 0, b->lower[1], 0, 0, 1, b->lower[2]};
        for (int j = 0; j < 24; j++) {
            points[j / 3][j % 3] = (j / 3 >> j % 3 & 1) ? b->size[j % 3] : 0;
        }
        tumble_mesh mesh = tumble_default_mesh();
        mesh.points = points[0], mesh.point_count = 8, mesh.indices = sides[0], mesh.index_count = 36;
        tumble_assembly_item item = {
            .name = b->name, .path = b->path, .file = b->file, .class_name = b->class_name, .transform = transform};
        assert_int_equal(tumble_assembly_add_mesh(assembly, &mesh, &item.model), TUMBLE_OK);
        assert_int_equal(tumble_assembly_add(assembly, &item), TUMBLE_OK);
        if (b->host != UINT32_MAX) {
            assert_int_equal(tumble_assembly_set_host(assembly, i, b->host), TUMBLE_OK);
        }
    }
    return assembly;
}

static tumble_clash_rules *parse(test_world *w, const char *text)
{
    tumble_clash_rules *rules;
    test_assert_status(w->context, tumble_clash_rules_parse(w->context, text, strlen(text), "rules.json", &rules),
                       TUMBLE_OK, NULL);
    return rules;
}

/* ---- what each rule lets through ---- */

typedef struct pair_of {
    const block *a, *b;
    uint32_t number_a, number_b;
    const tumble_clash *clash; /* with a clearance of 2 */
} pair_of;

static int is(const block *b, const char *type)
{
    return strcmp(b->class_name + 3, type) == 0;
}

static int are(const pair_of *p, const char *x, const char *y)
{
    return (is(p->a, x) && is(p->b, y)) || (is(p->b, x) && is(p->a, y));
}

static int zone_of(const block *b)
{
    return b->path[10] - '0';
}

static int is_hard(const pair_of *p)
{
    return p->clash->kind != TUMBLE_CLASH_CLEARANCE;
}

static int lets_all(const pair_of *p)
{
    return is_hard(p);
}

static int lets_walls_and_pipes(const pair_of *p)
{
    return are(p, "Wall", "Pipe");
}

static int lets_walls_alone(const pair_of *p)
{
    return is_hard(p) && are(p, "Wall", "Wall");
}

static int lets_crossing(const pair_of *p)
{
    return p->clash->kind == TUMBLE_CLASH_CROSSING || p->clash->kind == TUMBLE_CLASH_DUPLICATE;
}

static int lets_near_only(const pair_of *p)
{
    return p->clash->kind == TUMBLE_CLASH_CLEARANCE && p->clash->distance < 1.5;
}

static int lets_other_classes(const pair_of *p)
{
    return is_hard(p) && strcmp(p->a->class_name, p->b->class_name) != 0;
}

static int lets_other_parents(const pair_of *p)
{
    const size_t a = (size_t)(strrchr(p->a->path, '/') - p->a->path),
                 b = (size_t)(strrchr(p->b->path, '/') - p->b->path);
    return is_hard(p) && !(strcmp(p->a->file, p->b->file) == 0 && a == b && memcmp(p->a->path, p->b->path, a) == 0);
}

static int lets_other_zones(const pair_of *p)
{
    return is_hard(p) && !(strcmp(p->a->file, p->b->file) == 0 && zone_of(p->a) == zone_of(p->b));
}

static int lets_other_files(const pair_of *p)
{
    return is_hard(p) && strcmp(p->a->file, p->b->file) != 0;
}

static int lets_no_fillers(const pair_of *p)
{
    return is_hard(p) && p->a->host != p->number_b && p->b->host != p->number_a;
}

static int lets_listed(const pair_of *p)
{
    return is_hard(p) && !are(p, "Wall", "Duct") && !(zone_of(p->a) == 1 && zone_of(p->b) == 1);
}

static int lets_chosen(const pair_of *p)
{
    const block *ends[2] = {p->a, p->b};
    int in_a[2], in_b[2];
    for (int i = 0; i < 2; i++) {
        in_a[i] = (is(ends[i], "Pipe") && zone_of(ends[i]) != 2) || strcmp(ends[i]->name, "part 7") == 0;
        in_b[i] = !is(ends[i], "Pipe") && strcmp(ends[i]->file, "file 1") == 0;
    }
    return is_hard(p) && ((in_a[0] && in_b[1]) || (in_a[1] && in_b[0]));
}

static int lets_none(const pair_of *p)
{
    (void)p;
    return 0;
}

static const struct {
    const char *text;
    int (*lets)(const pair_of *p);
} cases[] = {
    {"{\"name\": \"all\"}", lets_all},
    {"{\"name\": \"walls and pipes\", \"a\": {\"class\": \"IfcW*\"}, \"b\": \"*/Pipes/*\", \"clearance\": 2}",
     lets_walls_and_pipes},
    {"{\"name\": \"walls\", \"a\": {\"class\": \"Ifc?all\"}}", lets_walls_alone},
    {"{\"name\": \"deep\", \"find\": [\"crossing\", \"duplicate\"], \"clearance\": 9}", lets_crossing},
    {"{\"name\": \"near\", \"find\": [\"clearance\"], \"clearance\": 1.5, \"severity\": \"minor\"}", lets_near_only},
    {"{\"name\": \"classes\", \"ignore\": [\"same class\"], \"comment\": \"\"}", lets_other_classes},
    {"{\"name\": \"parents\", \"ignore\": [\"same parent\"]}", lets_other_parents},
    {"{\"name\": \"zones\", \"ignore\": [\"same assembly\"]}", lets_other_zones},
    {"{\"name\": \"files\", \"ignore\": [\"same file\"]}", lets_other_files},
    {"{\"name\": \"openings\", \"ignore\": [\"openings\"]}", lets_no_fillers},
    {"{\"name\": \"listed\", \"ignore_pairs\": [[{\"class\": \"IfcWall\"}, {\"class\": \"IfcDuct\"}], "
     "[\"hall/zone 1/*\", \"hall/zone 1/*\"]]}",
     lets_listed},
    {"{\"name\": \"chosen\", \"a\": [{\"class\": \"IfcPipe\", \"not\": {\"path\": [\"hall/zone 2/*\", \"x\"]}}, "
     "{\"name\": "
     "\"part 7\"}], \"b\": {\"not\": {\"class\": \"IfcPipe\"}, \"file\": \"*1\"}}",
     lets_chosen},
    {"{\"name\": \"none\", \"a\": []}", lets_none}};

enum {
    CASES = sizeof cases / sizeof *cases
};

static char *all_rules(const char *rest)
{
    char *text = calloc(1, 8192);
    assert_non_null(text);
    strcat(text, "{\"rules\": [\n");
    for (int i = 0; i < CASES; i++) {
        strcat(text, i ? ",\n" : "");
        strcat(text, cases[i].text);
    }
    strcat(strcat(text, "]"), rest);
    return strcat(text, "}");
}

/* How many clashes a rule found, each as the run without rules has it, and in its order. */
static size_t check_rule(const yard *y, const tumble_clash_result *plain, const tumble_clash_result *ruled,
                         uint32_t rule, int ignores_zone_3)
{
    size_t at = 0, count = 0;
    for (size_t i = 0; i < plain->clash_count; i++) {
        const tumble_clash *clash = &plain->clashes[i];
        const pair_of p = {&y->blocks[clash->a], &y->blocks[clash->b], clash->a, clash->b, clash};
        if (!cases[rule].lets(&p) || (ignores_zone_3 && zone_of(p.a) == 3 && zone_of(p.b) == 3)) {
            continue;
        }
        while (at < ruled->clash_count && ruled->clashes[at].rule != rule) {
            at++;
        }
        assert_true(at < ruled->clash_count);
        const tumble_clash *found = &ruled->clashes[at++];
        assert_true(found->a == clash->a && found->b == clash->b && found->kind == clash->kind);
        assert_true(found->segment_count == clash->segment_count && found->distance == clash->distance);
        for (size_t j = 0; j < found->segment_count; j++) {
            assert_memory_equal(&found->segments[j], &clash->segments[j], sizeof *found->segments);
        }
        count++;
    }
    assert_int_equal(ruled->rules[rule].clash_count, count);
    return count;
}

static void test_rules(void **state)
{
    test_world *w = *state;
    test_random random = {2120};
    for (int round = 0; round < 3; round++) {
        yard y;
        make_yard(&y, &random);
        tumble_assembly *assembly = assemble(w, &y);
        char *text = all_rules(round == 2 ? ", \"ignore_pairs\": [[\"*/zone 3/*\", \"*/zone 3/*\"]]" : "");
        tumble_clash_rules *rules = parse(w, text);
        tumble_clash_options options = tumble_default_clash_options();
        tumble_clashes *plain, *ruled;
        options.depth_budget = 0;
        options.clearance = 2;
        assert_int_equal(tumble_clash_run(assembly, &options, &plain), TUMBLE_OK);
        options.clearance = 0;
        options.rules = rules;
        assert_int_equal(tumble_clash_run(assembly, &options, &ruled), TUMBLE_OK);
        const tumble_clash_result *result = tumble_clashes_result(ruled);
        assert_int_equal(result->rule_count, CASES);
        size_t total = 0;
        for (uint32_t rule = 0; rule < CASES; rule++) {
            const size_t count = check_rule(&y, tumble_clashes_result(plain), result, rule, round == 2);
            assert_true(count > 0 || rule == CASES - 1);
            total += count;
        }
        assert_int_equal(total, result->clash_count);
        for (size_t i = 1; i < result->clash_count; i++) {
            assert_string_not_equal(result->clashes[i].id, result->clashes[i - 1].id);
        }
        assert_int_equal((int)result->rules[4].severity, TUMBLE_SEVERITY_MINOR);
        tumble_clashes_destroy(plain);
        tumble_clashes_destroy(ruled);
        tumble_clash_rules_destroy(rules);
        assert_int_equal(tumble_assembly_destroy(assembly), TUMBLE_OK);
        free(text);
    }
}

/* A tolerance for one rule alone, and those of the options for rules that state none. */
static void test_defaults(void **state)
{
    test_world *w = *state;
    yard y;
    test_random random = {2121};
    make_yard(&y, &random);
    tumble_assembly *assembly = assemble(w, &y);
    tumble_clash_rules *rules = parse(w, "{\"rules\": [{\"name\": \"hard\"}, {\"name\": \"soft\", \"touch\": 2, "
                                         "\"severity\": \"critical\", \"clearance\": 1.5}]}");
    tumble_clash_options options = tumble_default_clash_options();
    tumble_clashes *clashes;
    options.rules = rules;
    options.clearance = 1;
    options.severity = TUMBLE_SEVERITY_MINOR;
    assert_int_equal(tumble_clash_run(assembly, &options, &clashes), TUMBLE_OK);
    const tumble_clash_result *result = tumble_clashes_result(clashes);
    size_t filed = 0, critical = 0;
    assert_true(result->rules[0].clearance == 1 && result->rules[1].clearance == 1.5 && result->rules[1].touch == 2);
    assert_true(result->rules[0].severity == TUMBLE_SEVERITY_MINOR && result->rules[0].set_counts[1] == MOST);
    for (size_t i = 0; i < result->clash_count; i++) {
        const tumble_clash *clash = &result->clashes[i];
        assert_true(clash->kind != TUMBLE_CLASH_TOUCHING || clash->severity == TUMBLE_SEVERITY_INFO);
        assert_true(clash->kind != TUMBLE_CLASH_TOUCHING || clash->depth[1] <= (clash->rule ? 2 : 0));
        filed += clash->kind == TUMBLE_CLASH_TOUCHING && clash->depth[1] > 0;
        critical += clash->severity == TUMBLE_SEVERITY_CRITICAL;
    }
    assert_true(filed > 0 && critical > 0);
    tumble_clashes_destroy(clashes);
    tumble_clash_rules_destroy(rules);
    assert_int_equal(tumble_assembly_destroy(assembly), TUMBLE_OK);
}

static void test_view(void **state)
{
    test_world *w = *state;
    yard y;
    test_random random = {2122};
    tumble_clash_rule_view view;
    size_t walls = 0;
    make_yard(&y, &random);
    tumble_assembly *assembly = assemble(w, &y);
    for (int i = 0; i < MOST; i++) {
        walls += is(&y.blocks[i], "Wall") != 0;
    }
    tumble_clash_rules *rules =
        parse(w, "{\"rules\": [{\"name\": \"walls\", \"a\": {\"class\": \"IfcWall\"}, \"b\": []}]}");
    assert_int_equal(tumble_clash_rules_count(rules), 1);
    assert_int_equal(tumble_clash_rules_view(rules, 0, assembly, &view), TUMBLE_OK);
    assert_string_equal(view.name, "walls");
    assert_int_equal(view.set_counts[0], walls);
    assert_int_equal(view.set_counts[1], 0);
    assert_int_equal(tumble_clash_rules_view(rules, 0, NULL, &view), TUMBLE_OK);
    assert_int_equal(view.set_counts[0], 0);
    test_assert_status(w->context, tumble_clash_rules_view(rules, 1, assembly, &view), TUMBLE_ERROR_INDEX, "rule 1");
    test_assert_status(w->context, tumble_clash_rules_view(rules, 0, assembly, NULL), TUMBLE_ERROR_ARGUMENT, "out");
    assert_int_equal(tumble_clash_rules_view(NULL, 0, assembly, &view), TUMBLE_ERROR_ARGUMENT);
    assert_int_equal(tumble_clash_rules_count(NULL), 0);
    tumble_clash_rules_destroy(rules);
    assert_int_equal(tumble_assembly_destroy(assembly), TUMBLE_OK);
}

/* ---- patterns ---- */

/* Plainly: a star is nothing, or a byte and a star. */
static int matches(const char *pattern, const char *text)
{
    if (*pattern == '*') {
        return matches(pattern + 1, text) || (*text && matches(pattern, text + 1));
    }
    return *pattern ? *text && (*pattern == '?' || *pattern == *text) && matches(pattern + 1, text + 1) : !*text;
}

static void test_patterns(void **state)
{
    (void)state;
    test_random random = {2123};
    size_t found = 0;
    for (int i = 0; i < 20000; i++) {
        char pattern[9] = "", text[9] = "";
        for (int j = test_random_whole(&random, 0, 7); j > 0; j--) {
            pattern[strlen(pattern)] = "ab*?*"[test_random_whole(&random, 0, 4)];
        }
        for (int j = test_random_whole(&random, 0, 7); j > 0; j--) {
            text[strlen(text)] = "ab/"[test_random_whole(&random, 0, 2)];
        }
        const int wanted = matches(pattern, text);
        assert_int_equal(tmb_match_pattern(pattern, text) != 0, wanted != 0);
        found += wanted != 0;
    }
    assert_true(found > 1000);
}

/* ---- what is wrong ---- */

static void refuse(test_world *w, const char *text, tumble_status status, const char *says)
{
    tumble_clash_rules *rules;
    test_assert_status(w->context, tumble_clash_rules_parse(w->context, text, strlen(text), "rules.json", &rules),
                       status, says);
    assert_null(rules);
}

static void test_errors(void **state)
{
    test_world *w = *state;
    static const struct {
        const char *text, *says;
    } wrong[] = {
        {"", "an object"},
        {"{}", "there are no rules"},
        {"{\"rules\": []}", "there are no rules"},
        {"{\"rules\": [{}]}", "no name"},
        {"{\"rules\": [{\"name\": \"x\",\n\"clearence\": 1}]}", "line 2"},
        {"{\"rules\": [{\"name\": \"x\", \"clearence\": 1}]}", "'clearence', but: name, a, b, find, clearance"},
        {"{\"rules\": [{\"name\": \"x\", \"clearance\": -1}]}", "clearance is negative"},
        {"{\"rules\": [{\"name\": \"x\", \"touch\": \"1\"}]}", "a number"},
        {"{\"rules\": [{\"name\": \"x\", \"find\": [\"crosing\"]}]}", "'crosing', but: crossing, contained"},
        {"{\"rules\": [{\"name\": \"x\", \"find\": []}]}", "name a kind"},
        {"{\"rules\": [{\"name\": \"x\", \"severity\": \"bad\"}]}", "'bad', but: info"},
        {"{\"rules\": [{\"name\": \"x\", \"ignore\": [\"same\"]}]}", "'same', but: same parent"},
        {"{\"rules\": [{\"name\": \"x\", \"a\": {\"klass\": \"y\"}}]}", "'klass', but: path, name, class"},
        {"{\"rules\": [{\"name\": \"x\", \"a\": 3}]}", "an object"},
        {"{\"rules\": [{\"name\": \"x\", \"ignore_pairs\": [[\"a\"]]}]}", "two sets, not 1"},
        {"{\"rules\": [{\"name\": \"x\", \"name\": \"y\"}]}", "'name' twice"},
        {"{\"rules\": [{\"name\": \"x\"}, {\"name\": \"x\"}]}", "two rules are called 'x'"},
        {"{\"rules\": [{\"name\": \"x\"}], \"rule\": 1}", "'rule', but: rules"},
        {"{\"rules\": [{\"name\": \"x\"}]} x", "the end"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        refuse(w, wrong[i].text, TUMBLE_ERROR_FORMAT, wrong[i].says);
        refuse(w, wrong[i].text, TUMBLE_ERROR_FORMAT, "rules.json");
    }
    char *many = malloc(200000);
    assert_non_null(many);
    strcpy(many, "{\"rules\": [");
    char *end = many + strlen(many);
    for (int i = 0; i <= TMB_MOST_RULES; i++) {
        end += sprintf(end, "%s{\"name\": \"%d\"}", i ? "," : "", i);
    }
    strcpy(end, "]}");
    refuse(w, many, TUMBLE_ERROR_TOO_LARGE, "rules");
    end = many + sprintf(many, "{\"rules\": [{\"name\": \"x\"}], \"ignore_pairs\": [");
    for (int i = 0; i <= TMB_MOST_RULES; i++) {
        end += sprintf(end, "%s[\"a\", \"b\"]", i ? "," : "");
    }
    strcpy(end, "]}");
    refuse(w, many, TUMBLE_ERROR_TOO_LARGE, "pairs");
    free(many);
    tumble_clash_rules *rules;
    assert_int_equal(tumble_clash_rules_read(NULL, "x", &rules), TUMBLE_ERROR_ARGUMENT);
    test_assert_status(w->context, tumble_clash_rules_read(w->context, NULL, &rules), TUMBLE_ERROR_ARGUMENT, "path");
    test_assert_status(w->context, tumble_clash_rules_read(w->context, "/no/rules.json", &rules), TUMBLE_ERROR_FILE,
                       "/no/rules.json");
    test_assert_status(w->context, tumble_clash_rules_parse(w->context, NULL, 1, "x", &rules), TUMBLE_ERROR_ARGUMENT,
                       "text");
    tumble_clash_rules_destroy(NULL);
}

typedef struct ruling {
    tumble_assembly *assembly;
    const char *text;
} ruling;

static tumble_status rule(test_world *w, void *user)
{
    const ruling *r = user;
    tumble_clash_options options = tumble_default_clash_options();
    tumble_clash_rules *rules;
    tumble_clashes *clashes;
    tumble_status status = tumble_clash_rules_parse(w->context, r->text, strlen(r->text), "rules.json", &rules);
    if (status != TUMBLE_OK) {
        return status;
    }
    options.rules = rules;
    options.depth_budget = 0;
    status = tumble_clash_run(r->assembly, &options, &clashes);
    if (status == TUMBLE_OK) {
        tumble_clashes_destroy(clashes);
    }
    tumble_clash_rules_destroy(rules);
    return status;
}

static void test_memory(void **state)
{
    test_world *w = *state;
    yard y;
    test_random random = {2124};
    make_yard(&y, &random);
    char *text = all_rules("");
    ruling r = {assemble(w, &y),
                "{\"rules\": [{\"name\": \"few\", \"a\": {\"name\": [\"part 1?\", \"part 2?\"]}, \"b\": "
                "\"*/zone 1/*\", \"ignore_pairs\": [[\"x\", {\"not\": \"y\"}]]}]}"};
    assert_int_equal(rule(w, &r), TUMBLE_OK);
    assert_true(test_fail_each(w, TEST_FAIL_TAKING_TURNS, rule, NULL, &r) > 20);
    assert_int_equal(tumble_assembly_destroy(r.assembly), TUMBLE_OK);
    free(text);
}

/* ---- and the run before ---- */

/* Clashes that a rule no longer looks for are not resolved. */
static void test_before(void **state)
{
    test_world *w = *state;
    static const char *const texts[] = {
        "{\"rules\": [{\"name\": \"x\", \"clearance\": 2}]}",
        "{\"rules\": [{\"name\": \"x\", \"clearance\": 2, \"find\": [\"crossing\", \"contained\", \"clearance\"]}]}",
        "{\"rules\": [{\"name\": \"x\", \"clearance\": 2, \"ignore\": [\"same class\"]}]}",
        "{\"rules\": [{\"name\": \"x\", \"clearance\": 2, \"a\": {\"class\": \"IfcWall\"}}]}",
        "{\"rules\": [{\"name\": \"y\", \"clearance\": 2}]}"};
    char path[] = "/tmp/tumble-rules-XXXXXX";
    const int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    yard y;
    test_random random = {2125};
    make_yard(&y, &random);
    tumble_assembly *assembly = assemble(w, &y);
    tumble_clash_before *before = NULL;
    size_t all = 0;
    for (int i = 0; i < 5; i++) {
        tumble_clash_options options = tumble_default_clash_options();
        tumble_clash_rules *rules = parse(w, texts[i]);
        tumble_clashes *clashes;
        options.depth_budget = 0;
        options.rules = rules;
        options.before = before;
        assert_int_equal(tumble_clash_run(assembly, &options, &clashes), TUMBLE_OK);
        const tumble_clash_result *result = tumble_clashes_result(clashes);
        size_t counts[5] = {0};
        for (size_t j = 0; j < result->clash_count; j++) {
            counts[result->clashes[j].change]++;
        }
        if (i == 0) {
            all = counts[TUMBLE_CHANGE_NEW];
            assert_int_equal(tumble_clash_write_json(w->context, result, path), TUMBLE_OK);
            assert_int_equal(tumble_clash_before_read(w->context, path, &before), TUMBLE_OK);
        } else {
            assert_int_equal(counts[TUMBLE_CHANGE_RESOLVED], 0);
            assert_int_equal(counts[TUMBLE_CHANGE_UNRETESTED] + counts[TUMBLE_CHANGE_PERSISTENT], all);
            assert_true(counts[TUMBLE_CHANGE_UNRETESTED] > 0);
            assert_true((counts[TUMBLE_CHANGE_PERSISTENT] > 0) == (i < 4));
        }
        tumble_clashes_destroy(clashes);
        tumble_clash_rules_destroy(rules);
    }
    remove(path);
    tumble_clash_before_destroy(before);
    assert_int_equal(tumble_assembly_destroy(assembly), TUMBLE_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST_IN_WORLD(test_rules),  TEST_IN_WORLD(test_defaults),
                                       TEST_IN_WORLD(test_view),   TEST_IN_WORLD(test_patterns),
                                       TEST_IN_WORLD(test_errors), TEST_IN_WORLD(test_memory),
                                       TEST_IN_WORLD(test_before)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
