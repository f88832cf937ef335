/* A run and the one before: what has become of each clash, and that nothing is called resolved which was not looked
 * for. Parts are boxes with whole corners, so the truth is known. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "scenes.h"
#include "tumble/clash.h"

enum {
    MOST = 24,
    RANGE = 7
};

typedef struct block {
    int lower[3], size[3];
    char name[24], file[24];
    int is_there, is_broken;
} block;

typedef struct yard {
    block blocks[MOST];
} yard;

static void make_box(const int size[3], double points[8][3], uint32_t corners[12][3])
{
    static const uint32_t sides[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                          {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    for (int i = 0; i < 8; i++) {
        for (int j = 0; j < 3; j++) {
            points[i][j] = (i >> j & 1) ? size[j] : 0;
        }
    }
    memcpy(corners, sides, sizeof sides);
}

static void make_yard(yard *y, test_random *random)
{
    for (int i = 0; i < MOST; i++) {
        block *b = &y->blocks[i];
        *b = (block){.is_there = 1};
        for (int j = 0; j < 3; j++) {
            b->lower[j] = test_random_whole(random, -RANGE, RANGE);
            b->size[j] = test_random_whole(random, 1, 5);
        }
        snprintf(b->name, sizeof b->name, "block %d", i);
        snprintf(b->file, sizeof b->file, "file %d", i % 3);
    }
}

static void add_block(tumble_assembly *assembly, const block *b)
{
    double points[8][3], transform[12] = {1, 0, 0, b->lower[0], 0, 1, 0, b->lower[1], 0, 0, 1, b->lower[2]};
    uint32_t corners[12][3], model = 0;
    make_box(b->size, points, corners);
    tumble_mesh mesh = tumble_default_mesh();
    mesh.points = points[0], mesh.point_count = 8, mesh.indices = corners[0], mesh.index_count = 36;
    assert_int_equal(tumble_assembly_add_mesh(assembly, &mesh, &model), TUMBLE_OK);
    const tumble_assembly_item item = {.name = b->name,
                                       .file = b->file,
                                       .model = model,
                                       .transform = transform,
                                       .broken = b->is_broken ? "it is broken" : NULL};
    assert_int_equal(tumble_assembly_add(assembly, &item), TUMBLE_OK);
}

static tumble_assembly *assemble(test_world *w, const yard *y, int backwards)
{
    tumble_assembly *assembly;
    assert_int_equal(tumble_assembly_create(w->context, &assembly), TUMBLE_OK);
    for (int i = 0; i < MOST; i++) {
        const block *b = &y->blocks[backwards ? MOST - 1 - i : i];
        if (b->is_there) {
            add_block(assembly, b);
        }
    }
    return assembly;
}

static char *read_all(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    const long size = ftell(file);
    char *text = malloc((size_t)size + 1);
    assert_non_null(text);
    rewind(file);
    assert_int_equal(fread(text, 1, (size_t)size, file), (size_t)size);
    text[size] = '\0';
    fclose(file);
    return text;
}

static char *text_of(test_world *w, const tumble_clashes *clashes)
{
    char path[] = "/tmp/tumble-before-XXXXXX";
    const int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    assert_int_equal(tumble_clash_write_json(w->context, tumble_clashes_result(clashes), path), TUMBLE_OK);
    char *text = read_all(path);
    remove(path);
    return text;
}

static tumble_clash_before *parse(test_world *w, const char *text)
{
    tumble_clash_before *before = NULL;
    if (text) {
        assert_int_equal(tumble_clash_before_parse(w->context, text, strlen(text), "last.json", &before), TUMBLE_OK);
    }
    return before;
}

typedef struct asked {
    tumble_assembly *assembly;
    tumble_clash_before *before;
    tumble_clashes *clashes;
    const tumble_clash_result *result;
} asked;

static asked ask(test_world *w, const yard *y, const char *before, const tumble_clash_options *given)
{
    asked a = {.assembly = assemble(w, y, 0), .before = parse(w, before)};
    tumble_clash_options options = given ? *given : tumble_default_clash_options();
    options.before = a.before;
    assert_int_equal(tumble_clash_run(a.assembly, &options, &a.clashes), TUMBLE_OK);
    a.result = tumble_clashes_result(a.clashes);
    return a;
}

static void forget(asked *a)
{
    tumble_clashes_destroy(a->clashes);
    tumble_clash_before_destroy(a->before);
    assert_int_equal(tumble_assembly_destroy(a->assembly), TUMBLE_OK);
}

static char *run_text(test_world *w, const yard *y, const char *before, const tumble_clash_options *options)
{
    asked a = ask(w, y, before, options);
    char *text = text_of(w, a.clashes);
    forget(&a);
    return text;
}

/* ---- truth ---- */

/* Whether two boxes have a point in common, or are nearer than the clearance. */
static int do_clash(const block *a, const block *b, double clearance)
{
    double square = 0;
    int apart = 0;
    for (int i = 0; i < 3; i++) {
        const int below = a->lower[i] - b->lower[i] - b->size[i], above = b->lower[i] - a->lower[i] - a->size[i];
        const int gap = below > above ? below : above;
        square += gap > 0 ? gap * gap : 0;
        apart = apart || gap > 0;
    }
    return !apart || square < clearance * clearance;
}

/* By what a part was called before, or is now. */
static int block_of(const yard *y, const char *key)
{
    for (int i = 0; i < MOST; i++) {
        char own[64];
        snprintf(own, sizeof own, "%s|%s", y->blocks[i].file, y->blocks[i].name);
        if (strcmp(own, key) == 0) {
            return i;
        }
    }
    return -1;
}

static struct {
    size_t changes[5];
} seen;

/* A clash of this run: persistent if the same two boxes clashed before. */
static void check_present(const yard *old, const yard *now, const tumble_clash *clash, double clearance)
{
    const int a = block_of(now, clash->key_a), b = block_of(now, clash->key_b);
    assert_true(a >= 0 && b >= 0 && do_clash(&now->blocks[a], &now->blocks[b], clearance));
    const int was = old->blocks[a].is_there && old->blocks[b].is_there && !old->blocks[a].is_broken &&
                    !old->blocks[b].is_broken && do_clash(&old->blocks[a], &old->blocks[b], clearance);
    assert_true(was == (clash->change != TUMBLE_CHANGE_NEW));
}

static void check_gone(const yard *old, const yard *now, const tumble_clash *clash, double clearance)
{
    const int a = block_of(old, clash->key_a), b = block_of(old, clash->key_b);
    assert_true(a >= 0 && b >= 0 && do_clash(&old->blocks[a], &old->blocks[b], clearance));
    const block *x = &now->blocks[a], *z = &now->blocks[b];
    const int could = x->is_there && z->is_there && !x->is_broken && !z->is_broken;
    assert_true(could == (clash->change == TUMBLE_CHANGE_RESOLVED));
    assert_true(could ? !do_clash(x, z, clearance) : strlen(clash->reason) > 10);
    assert_true((clash->a == UINT32_MAX) == !x->is_there && (clash->b == UINT32_MAX) == !z->is_there);
    assert_true(clash->group == UINT32_MAX && (clash->reason[0] == '\0') == could);
}

static void check_changes(const yard *old, const yard *now, const tumble_clash_result *result, double clearance)
{
    size_t before = 0, told = 0;
    for (int i = 0; i < MOST; i++) {
        for (int j = 0; j < i; j++) {
            const block *a = &old->blocks[i], *b = &old->blocks[j];
            before += a->is_there && b->is_there && !a->is_broken && !b->is_broken && do_clash(a, b, clearance);
        }
    }
    for (size_t i = 0; i < result->clash_count; i++) {
        const tumble_clash *clash = &result->clashes[i];
        const int is_gone = clash->change == TUMBLE_CHANGE_RESOLVED || clash->change == TUMBLE_CHANGE_UNRETESTED;
        if (is_gone) {
            check_gone(old, now, clash, clearance);
        } else {
            check_present(old, now, clash, clearance);
        }
        told += clash->change != TUMBLE_CHANGE_NEW;
        seen.changes[clash->change]++;
    }
    assert_int_equal(before, told);
}

/* Whether another block of this geometry is at its place: then nobody can tell which is which. */
static int is_twin(const yard *y, int number)
{
    for (int i = 0; i < MOST; i++) {
        if (i != number && memcmp(y->blocks[i].lower, y->blocks[number].lower, 3 * sizeof(int)) == 0 &&
            memcmp(y->blocks[i].size, y->blocks[number].size, 3 * sizeof(int)) == 0) {
            return 1;
        }
    }
    return 0;
}

static void change_yard(yard *y, test_random *random)
{
    for (int i = 0; i < 4; i++) {
        const int number = test_random_whole(random, 0, MOST - 1);
        block *b = &y->blocks[number];
        switch (test_random_whole(random, 0, 4)) {
        case 0: b->is_there = 0; break;
        case 1: b->is_broken = 1; break;
        case 2: b->lower[test_random_whole(random, 0, 2)] += test_random_whole(random, -2, 2); break;
        case 3: b->size[test_random_whole(random, 0, 2)] = test_random_whole(random, 1, 5); break;
        default:
            if (is_twin(y, number)) {
                break;
            }
            snprintf(b->name, sizeof b->name, "renamed %d", number);
            return; /* alone, so that it can be known again */
        }
    }
}

/* What was computed is the same whether all was, or only what can have changed. */
static void test_changes(void **state)
{
    test_world *w = *state;
    test_random random = {2110};
    uint64_t asked_again = 0, all = 0;
    memset(&seen, 0, sizeof seen);
    const size_t rounds = test_count(12) > 12 ? test_count(12) : 12; /* all changes happen in these */
    for (size_t round = 0; round < rounds; round++) {
        yard old, now;
        tumble_clash_options options = tumble_default_clash_options();
        options.clearance = round % 2 ? 1.5 : 0;
        options.depth_budget = 500;
        make_yard(&old, &random);
        now = old;
        change_yard(&now, &random);
        char *before = run_text(w, &old, NULL, &options);
        asked fast = ask(w, &now, before, &options);
        options.retest = true;
        options.thread_count = 3;
        asked slow = ask(w, &now, before, &options);
        char *texts[2] = {text_of(w, fast.clashes), text_of(w, slow.clashes)};
        assert_string_equal(texts[0], texts[1]);
        check_changes(&old, &now, fast.result, options.clearance);
        assert_int_equal(slow.result->known_count, 0);
        asked_again += fast.result->pair_count - fast.result->known_count;
        all += slow.result->pair_count;
        free(texts[0]), free(texts[1]), free(before);
        forget(&fast), forget(&slow);
    }
    for (int change = 0; change < 5; change++) {
        assert_true(seen.changes[change] > 0 || change == TUMBLE_CHANGE_WORSE);
    }
    assert_true(asked_again > 0 && 2 * asked_again < all);
}

/* ---- nothing, or one part ---- */

static void test_one_part(void **state)
{
    test_world *w = *state;
    test_random random = {2111};
    yard y;
    tumble_clash_options options = tumble_default_clash_options();
    options.segment_limit = 0;
    make_yard(&y, &random);
    char *before = run_text(w, &y, NULL, &options);
    asked same = ask(w, &y, before, &options);
    assert_int_equal(same.result->question_count, 0);
    assert_int_equal(same.result->known_count, same.result->pair_count);
    for (size_t i = 0; i < same.result->clash_count; i++) {
        assert_int_equal((int)same.result->clashes[i].change, TUMBLE_CHANGE_PERSISTENT);
    }
    forget(&same);
    y.blocks[7].lower[0] += 1;
    asked moved = ask(w, &y, before, &options);
    assert_true(moved.result->question_count > 0);
    assert_true(moved.result->question_count <= MOST);
    forget(&moved);
    asked curves = ask(w, &y, before, NULL); /* contact curves are computed again where they are wanted */
    for (size_t i = 0; i < curves.result->clash_count; i++) {
        const tumble_clash *clash = &curves.result->clashes[i];
        assert_true(clash->change == TUMBLE_CHANGE_RESOLVED || clash->contact_count == 0 || clash->segment_count > 0);
    }
    forget(&curves);
    free(before);
}

/* ---- what people say ---- */

/* The text with the keys of a clash set to words. */
static char *with_words(const char *text, size_t number, const char *key, const char *word)
{
    cJSON *json = cJSON_Parse(text);
    assert_non_null(json);
    cJSON *clash = cJSON_GetArrayItem(cJSON_GetObjectItem(json, "clashes"), (int)number);
    assert_non_null(clash);
    cJSON_ReplaceItemInObject(clash, key, cJSON_CreateString(word));
    char *changed = cJSON_PrintUnformatted(json);
    cJSON_Delete(json);
    return changed;
}

/* Two boxes that cross by `deep`. */
static yard two_boxes(int deep)
{
    yard y = {0};
    for (int i = 0; i < 2; i++) {
        y.blocks[i] = (block){.size = {10, 10, 10}, .lower = {i ? 10 - deep : 0, 0, 0}, .is_there = 1};
        snprintf(y.blocks[i].name, sizeof y.blocks[i].name, "box %d", i);
        snprintf(y.blocks[i].file, sizeof y.blocks[i].file, "file %d", i);
    }
    return y;
}

static void expect(test_world *w, const yard *y, const char *before, tumble_change change, const char *review,
                   const char *comment, const char *reason)
{
    asked a = ask(w, y, before, NULL);
    assert_int_equal(a.result->clash_count, 1);
    const tumble_clash *clash = &a.result->clashes[0];
    assert_int_equal((int)clash->change, (int)change);
    assert_string_equal(clash->review, review);
    assert_string_equal(clash->comment, comment);
    if (reason) {
        assert_non_null(strstr(clash->reason, reason));
    }
    forget(&a);
}

static void test_words(void **state)
{
    test_world *w = *state;
    const yard shallow = two_boxes(2), deep = two_boxes(3), apart = two_boxes(-1);
    char *plain = run_text(w, &shallow, NULL, NULL), *said = with_words(plain, 0, "status", "approved");
    char *both = with_words(said, 0, "comment", "see \"42\"\n\xc3\xa4");
    expect(w, &shallow, both, TUMBLE_CHANGE_PERSISTENT, "approved", "see \"42\"\n\xc3\xa4", NULL);
    expect(w, &deep, both, TUMBLE_CHANGE_WORSE, "approved", "see \"42\"\n\xc3\xa4", NULL);
    expect(w, &apart, both, TUMBLE_CHANGE_RESOLVED, "approved", "see \"42\"\n\xc3\xa4", NULL);
    char *deeper = run_text(w, &deep, NULL, NULL);
    expect(w, &shallow, deeper, TUMBLE_CHANGE_PERSISTENT, "", "", NULL);
    char *resolved = run_text(w, &apart, both, NULL);
    expect(w, &shallow, resolved, TUMBLE_CHANGE_NEW, "", "see \"42\"\n\xc3\xa4", NULL); /* it is back */
    asked none = ask(w, &apart, resolved, NULL);                                        /* and not told for ever */
    assert_int_equal(none.result->clash_count, 0);
    forget(&none);
    free(plain), free(said), free(both), free(deeper), free(resolved);
}

/* ---- what is missing ---- */

static void test_missing(void **state)
{
    test_world *w = *state;
    const yard whole = two_boxes(2);
    char *before = run_text(w, &whole, NULL, NULL);
    yard y = whole;
    y.blocks[1].is_there = 0;
    expect(w, &y, before, TUMBLE_CHANGE_UNRETESTED, "", "", "the file 'file 1' is missing");
    y.blocks[2] = (block){.size = {1, 1, 1}, .lower = {90, 0, 0}, .is_there = 1};
    snprintf(y.blocks[2].name, sizeof y.blocks[2].name, "other");
    snprintf(y.blocks[2].file, sizeof y.blocks[2].file, "file 1");
    expect(w, &y, before, TUMBLE_CHANGE_UNRETESTED, "", "", "the part 'box 1' is missing");
    char *later = run_text(w, &y, before, NULL); /* it stays known while it is gone, and is known when it is back */
    expect(w, &y, later, TUMBLE_CHANGE_UNRETESTED, "", "", "the part 'file 1|box 1' is missing");
    expect(w, &whole, later, TUMBLE_CHANGE_PERSISTENT, "", "", NULL);
    y = whole;
    y.blocks[1].is_broken = 1;
    expect(w, &y, before, TUMBLE_CHANGE_UNRETESTED, "", "", "the part 'box 1' is broken: it is broken");
    cJSON *json = cJSON_Parse(before);
    cJSON *rule = cJSON_GetArrayItem(cJSON_GetObjectItem(json, "rules"), 0);
    cJSON_ReplaceItemInObject(rule, "name", cJSON_CreateString("ducts"));
    char *other = cJSON_Print(json);
    asked a = ask(w, &whole, other, NULL);
    assert_int_equal(a.result->clash_count, 2); /* a new one, of the rule that there is */
    assert_int_equal((int)a.result->clashes[1].change, TUMBLE_CHANGE_UNRETESTED);
    assert_string_equal(a.result->clashes[1].reason, "the rule 'ducts' is missing");
    forget(&a);
    cJSON_Delete(json);
    free(before), free(later), free(other);
}

static void test_smaller_clearance(void **state)
{
    test_world *w = *state;
    const yard near = two_boxes(-3), far = two_boxes(-5);
    tumble_clash_options options = tumble_default_clash_options();
    options.clearance = 4;
    char *before = run_text(w, &near, NULL, &options);
    options.clearance = 2;
    asked a = ask(w, &near, before, &options);
    assert_int_equal(a.result->clash_count, 1);
    assert_int_equal((int)a.result->clashes[0].change, TUMBLE_CHANGE_UNRETESTED);
    forget(&a);
    options.clearance = 4;
    a = ask(w, &far, before, &options);
    assert_int_equal((int)a.result->clashes[0].change, TUMBLE_CHANGE_RESOLVED);
    forget(&a);
    free(before);
}

static bool stop_at_once(void *user, uint64_t done, uint64_t total)
{
    (void)user;
    (void)done;
    (void)total;
    return true;
}

/* Of a run that ended early nothing is resolved that it did not look at, and the next run takes nothing from it. */
static void test_incomplete(void **state)
{
    test_world *w = *state;
    test_random random = {2112};
    yard y;
    tumble_clash_options options = tumble_default_clash_options();
    size_t left = 0;
    make_yard(&y, &random);
    char *before = run_text(w, &y, NULL, &options);
    options.retest = true;
    options.progress = stop_at_once;
    options.thread_count = 1;
    asked some = ask(w, &y, before, &options);
    assert_false(some.result->complete);
    for (size_t i = 0; i < some.result->clash_count; i++) {
        assert_int_not_equal((int)some.result->clashes[i].change, TUMBLE_CHANGE_RESOLVED);
        left += some.result->clashes[i].change == TUMBLE_CHANGE_UNRETESTED;
    }
    assert_true(left > 0);
    char *half = text_of(w, some.clashes);
    asked all = ask(w, &y, half, NULL);
    assert_true(all.result->complete && all.result->known_count == 0);
    for (size_t i = 0; i < all.result->clash_count; i++) {
        assert_int_equal((int)all.result->clashes[i].change, TUMBLE_CHANGE_PERSISTENT);
    }
    forget(&some), forget(&all);
    free(before), free(half);
}

/* ---- which part is which ---- */

static void test_matching(void **state)
{
    test_world *w = *state;
    yard y = two_boxes(2);
    y.blocks[1].size[2] = 7;
    char *before = run_text(w, &y, NULL, NULL), *said = with_words(before, 0, "status", "ignored");
    snprintf(y.blocks[1].name, sizeof y.blocks[1].name, "renamed");
    expect(w, &y, said, TUMBLE_CHANGE_PERSISTENT, "ignored", "", NULL);
    y.blocks[1].lower[0]++;
    expect(w, &y, said, TUMBLE_CHANGE_PERSISTENT, "ignored", "", NULL);
    free(before), free(said);
    /* Three bolts of one name in a plate, of which the first one goes: the others are not taken for it. */
    yard bolts = {0};
    for (int i = 0; i < 4; i++) {
        block *b = &bolts.blocks[i];
        *b = (block){.size = {1, 1, 3}, .lower = {3 * i, 1, -1}, .is_there = 1};
        snprintf(b->name, sizeof b->name, "%s", i ? "bolt" : "plate");
        snprintf(b->file, sizeof b->file, "file");
    }
    bolts.blocks[0] = (block){.size = {20, 3, 1}, .lower = {0, 0, 0}, .is_there = 1, .name = "plate", .file = "file"};
    before = run_text(w, &bolts, NULL, NULL);
    said = with_words(before, 1, "status", "approved"); /* the second bolt */
    bolts.blocks[1].is_there = 0;
    asked a = ask(w, &bolts, said, NULL);
    assert_int_equal(a.result->clash_count, 3);
    assert_string_equal(a.result->clashes[0].key_b, "file|bolt");
    assert_string_equal(a.result->clashes[0].review, "approved");
    assert_string_equal(a.result->clashes[1].review, "");
    assert_int_equal((int)a.result->clashes[2].change, TUMBLE_CHANGE_UNRETESTED);
    forget(&a);
    free(before), free(said);
}

/* Files that come in another order: what A was is B now. */
static void test_order(void **state)
{
    test_world *w = *state;
    test_random random = {2113};
    yard y;
    make_yard(&y, &random);
    char *text = run_text(w, &y, NULL, NULL);
    tumble_clash_options options = tumble_default_clash_options();
    tumble_clash_before *before = parse(w, text);
    tumble_assembly *assembly = assemble(w, &y, 1);
    tumble_clashes *clashes;
    options.before = before;
    assert_int_equal(tumble_clash_run(assembly, &options, &clashes), TUMBLE_OK);
    const tumble_clash_result *result = tumble_clashes_result(clashes);
    assert_true(result->clash_count > 5);
    for (size_t i = 0; i < result->clash_count; i++) {
        assert_int_equal((int)result->clashes[i].change, TUMBLE_CHANGE_PERSISTENT);
    }
    tumble_clashes_destroy(clashes);
    tumble_clash_before_destroy(before);
    assert_int_equal(tumble_assembly_destroy(assembly), TUMBLE_OK);
    free(text);
}

/* ---- files that are wrong, and memory ---- */

static void refuse(test_world *w, const char *text, tumble_status status, const char *says)
{
    tumble_clash_before *before;
    test_assert_status(w->context, tumble_clash_before_parse(w->context, text, strlen(text), "last.json", &before),
                       status, says);
    assert_null(before);
}

static void test_hostile(void **state)
{
    test_world *w = *state;
    const yard y = two_boxes(2);
    tumble_clash_before *before;
    refuse(w, "", TUMBLE_ERROR_FORMAT, "last.json");
    refuse(w, "{\n\"parts\": []}", TUMBLE_ERROR_FORMAT, "clashes.json");
    refuse(w, "{\"format\": 2, \"clashes\": []}", TUMBLE_ERROR_FORMAT, "format");
    refuse(w, "{\"clashes\": [\n{\"kind\": \"huge\"}]}", TUMBLE_ERROR_FORMAT, "line 2");
    refuse(w, "{\"clashes\": [{\"id\": \"5\"}]}", TUMBLE_ERROR_FORMAT, "32 digits");
    refuse(w, "{\"clashes\": [{\"id\": \"0123456789abcdef0123456789abcdef\", \"a\": 3}]}", TUMBLE_ERROR_INDEX,
           "0123456789abcdef");
    refuse(w, "{\"clashes\": [{\"box\": [[0, 0, 0]]}]}", TUMBLE_ERROR_FORMAT, "two points");
    assert_int_equal(tumble_clash_before_read(NULL, "x", &before), TUMBLE_ERROR_ARGUMENT);
    test_assert_status(w->context, tumble_clash_before_read(w->context, NULL, &before), TUMBLE_ERROR_ARGUMENT, "path");
    test_assert_status(w->context, tumble_clash_before_read(w->context, "/no/such.json", &before), TUMBLE_ERROR_FILE,
                       "/no/such.json");
    test_assert_status(w->context, tumble_clash_before_parse(w->context, NULL, 1, "x", &before), TUMBLE_ERROR_ARGUMENT,
                       "text");
    tumble_clash_before_destroy(NULL);
    char *text = run_text(w, &y, NULL, NULL);
    const size_t length = strlen(text);
    for (size_t i = 0; i + 2 < length; i++) { /* cut anywhere, it is no file */
        assert_int_not_equal(tumble_clash_before_parse(w->context, text, i, "last.json", &before), TUMBLE_OK);
    }
    free(text);
}

typedef struct remembering {
    tumble_assembly *assembly;
    const char *text;
} remembering;

static tumble_status remember(test_world *w, void *user)
{
    const remembering *r = user;
    tumble_clash_options options = tumble_default_clash_options();
    tumble_clash_before *before;
    tumble_clashes *clashes;
    tumble_status status = tumble_clash_before_parse(w->context, r->text, strlen(r->text), "last.json", &before);
    if (status != TUMBLE_OK) {
        return status;
    }
    options.before = before;
    options.depth_budget = 100;
    status = tumble_clash_run(r->assembly, &options, &clashes);
    if (status == TUMBLE_OK) {
        tumble_clashes_destroy(clashes);
    }
    tumble_clash_before_destroy(before);
    return status;
}

static void test_memory(void **state)
{
    test_world *w = *state;
    test_random random = {2114};
    yard y;
    tumble_clash_options options = tumble_default_clash_options();
    make_yard(&y, &random);
    for (int i = 8; i < MOST; i++) {
        y.blocks[i].is_there = 0;
    }
    options.depth_budget = 100;
    char *text = run_text(w, &y, NULL, &options);
    y.blocks[0].is_there = 0;
    y.blocks[1].lower[0]++;
    remembering r = {assemble(w, &y, 0), text};
    assert_int_equal(remember(w, &r), TUMBLE_OK);
    assert_true(test_fail_each(w, TEST_FAIL_TAKING_TURNS, remember, NULL, &r) > 40);
    assert_int_equal(tumble_assembly_destroy(r.assembly), TUMBLE_OK);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST_IN_WORLD(test_changes),
                                       TEST_IN_WORLD(test_one_part),
                                       TEST_IN_WORLD(test_words),
                                       TEST_IN_WORLD(test_missing),
                                       TEST_IN_WORLD(test_smaller_clearance),
                                       TEST_IN_WORLD(test_incomplete),
                                       TEST_IN_WORLD(test_matching),
                                       TEST_IN_WORLD(test_order),
                                       TEST_IN_WORLD(test_hostile),
                                       TEST_IN_WORLD(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
