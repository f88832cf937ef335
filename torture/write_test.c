#include <string.h>

#include "write.h"

static void write_head(FILE *out, const torture_case *c, const torture_failure *failure)
{
    fprintf(out,
            "/* Found by torture, seed 0x%llx, and shrunk: %s: %s.\n"
            " * Asserts the truth of rational arithmetic. Put it into tests/ and name it in tests/CMakeLists.txt. */\n"
            "#include <math.h>\n\n#include \"support.h\"\n#include \"tumble/hierarchies.h\"\n"
            "#include \"tumble/tumble.h\"\n\n",
            (unsigned long long)c->seed, torture_kind_name(failure->kind), failure->text);
}

static void write_body(FILE *out, const torture_case *c)
{
    static const char *const levels[] = {"SCALAR", "AVX2", "AVX512"};
    int used[TORTURE_LEVELS] = {0};
    for (size_t i = 0; i < c->question_count; i++) {
        used[c->questions[i].level] = 1;
    }
    fprintf(out, "static void test_torture_%llx(void **state)\n{\n    (void)state;\n", (unsigned long long)c->seed);
    fputs("    tumble_context_options options = tumble_default_context_options();\n", out);
    for (int i = 0; i < TORTURE_LEVELS; i++) {
        if (used[i]) {
            fprintf(out, "    tumble_context *context_%d;\n    tumble_query *query_%d;\n", i, i);
            fprintf(out, "    options.simd = TUMBLE_SIMD_%s;\n", levels[i]);
            fprintf(out, "    assert_int_equal(tumble_context_create(&options, &context_%d), TUMBLE_OK);\n", i);
            fprintf(out, "    assert_int_equal(tumble_query_create(context_%d, &query_%d), TUMBLE_OK);\n", i, i);
        }
    }
    const uint32_t first = c->questions[0].level;
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < c->recipe_count[side]; i++) {
            if (torture_uses_recipe(c, side, i)) {
                const char letter = side ? 'b' : 'a';
                fprintf(out, "    tumble_model *%c%zu = make_%c%zu(context_%u);\n", letter, i, letter, i, first);
            }
        }
    }
    for (size_t i = 0; i < c->question_count; i++) {
        const torture_question *q = &c->questions[i];
        fprintf(out, "    ask_%zu(context_%u, query_%u, a%u, b%u);\n", i, q->level, q->level, q->recipe[0],
                q->recipe[1]);
    }
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < c->recipe_count[side]; i++) {
            if (torture_uses_recipe(c, side, i)) {
                fprintf(out, "    tumble_model_destroy(%c%zu);\n", side ? 'b' : 'a', i);
            }
        }
    }
    for (int i = 0; i < TORTURE_LEVELS; i++) {
        if (used[i]) {
            fprintf(out, "    tumble_query_destroy(query_%d);\n    tumble_context_destroy(context_%d);\n", i, i);
        }
    }
    fputs("}\n\n", out);
}

int torture_write_test(const torture_case *c, const torture_failure *failure, const char *path)
{
    FILE *out = fopen(path, "w");
    if (!out) {
        return 0;
    }
    torture_world world;
    torture_stage stage;
    torture_tally tally = {0};
    static torture_case copy;
    copy = *c;
    torture_world_begin(&world, TORTURE_SLIP_NONE, 0);
    torture_stage_begin(&stage, &world, &copy, &tally);
    write_head(out, c, failure);
    torture_write_models(out, c);
    for (size_t i = 0; i < c->question_count; i++) {
        torture_write_question(out, &stage, i);
    }
    write_body(out, c);
    fprintf(out,
            "int main(void)\n{\n    const struct CMUnitTest tests[] = {cmocka_unit_test(test_torture_%llx)};\n"
            "    return cmocka_run_group_tests(tests, NULL, NULL);\n}\n",
            (unsigned long long)c->seed);
    torture_stage_end(&stage);
    torture_world_end(&world);
    return fclose(out) == 0;
}
