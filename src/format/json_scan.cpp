/*
 * format/json_scan.cpp - simdjson behind a C header; C++ is here and in duck/sketch_*.cpp only
 *
 * simdjson's on-demand front end stops at the first bad document of a batch and cannot hand out token positions, both of
 * which dead letters and rescued text need. Its first stage (SIMD: UTF-8 check, strings, structural characters) is where the
 * speed comes from, so we call just that, on a block of many records at once, and walk the positions ourselves (json.c).
 */
#include "format/json_scan.h"

#include <charconv>
#include <cstdlib>
#include <limits>
#include <memory>
#include <simdjson.h>

struct JsonScanner {
    std::unique_ptr<simdjson::internal::dom_parser_implementation> parser;
    uint32_t none[2];
};

extern "C" JsonScanner *json_scanner_new(void)
{
    return new JsonScanner();
}

extern "C" void json_scanner_free(JsonScanner *scanner)
{
    delete scanner;
}

extern "C" int json_scan(JsonScanner *scanner, const char *text, size_t size, const uint32_t **indexes, uint32_t *count)
{
    if (!scanner->parser || scanner->parser->capacity() < size) {
        size_t capacity = size < 65536 ? 65536 : size + size / 4;
        if (capacity > 0xFFFFFFFF)
            capacity = 0xFFFFFFFF;
        /* depth matters to later stages only, which are not run */
        if (simdjson::get_active_implementation()->create_dom_parser_implementation(capacity, 1, scanner->parser) != simdjson::SUCCESS)
            abort(); /* out of memory, or a caller above the limit */
    }
    simdjson::error_code error = scanner->parser->stage1(reinterpret_cast<const uint8_t *>(text), size, simdjson::stage1_mode::regular);
    switch (error) {
    case simdjson::SUCCESS:
        *indexes = scanner->parser->structural_indexes.get();
        *count = scanner->parser->n_structural_indexes;
        return 0;
    case simdjson::EMPTY:
        scanner->none[0] = scanner->none[1] = static_cast<uint32_t>(size);
        *indexes = scanner->none;
        *count = 0;
        return 0;
    case simdjson::UTF8_ERROR:
        return JSON_SCAN_UTF8;
    case simdjson::UNESCAPED_CHARS:
        return JSON_SCAN_CONTROL;
    default:
        return JSON_SCAN_UNCLOSED;
    }
}

extern "C" bool json_utf8_valid(const char *text, size_t size)
{
    return simdjson::validate_utf8(text, size);
}

template <typename T> static T text_to(const char *ptr, const char *end)
{
    T value = 0;
    auto result = std::from_chars(ptr, end, value);
    if (result.ec == std::errc::result_out_of_range) {
        /* from_chars leaves value alone: large or small? The first nonzero digit's place and the exponent tell; strtod does it for us. */
        char *stop = nullptr;
        double wide = strtod(ptr, &stop); /* the text is followed by a byte that is no part of a number */
        value = static_cast<T>(wide);
    }
    return value;
}

extern "C" double json_text_double(const char *ptr, const char *end)
{
    return text_to<double>(ptr, end);
}

extern "C" float json_text_float(const char *ptr, const char *end)
{
    return text_to<float>(ptr, end);
}
