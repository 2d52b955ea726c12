#include "base/json_document.h"

#include <fmt/format.h>
#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <system_error>

namespace decodescope::json {
namespace {

Error ioError(const std::string& file, std::string message, std::string remedy) {
  return Error{ErrorCode::Io, file, "", "", std::move(message), std::move(remedy)};
}

Error tooLarge(const std::string& file, std::size_t bytes, std::size_t limit) {
  const double mb = 1e6;
  return Error{ErrorCode::BadInput,
               file,
               "",
               "",
               fmt::format("is too large ({:.0f} MB; at most {:.0f} MB are read)",
                           static_cast<double>(bytes) / mb, static_cast<double>(limit) / mb),
               "is this the right file?"};
}

/// Reads to the end, or one byte beyond the limit.
Expected<std::string> readStream(std::FILE* stream, const std::string& name, std::size_t max_bytes) {
  std::string text;
  char buffer[1U << 16U];
  while (const std::size_t got = std::fread(buffer, 1, sizeof buffer, stream)) {
    text.append(buffer, got);
    if (text.size() > max_bytes) return Unexpected(tooLarge(name, text.size(), max_bytes));
  }
  if (std::ferror(stream) != 0)
    return Unexpected(ioError(name, "cannot be read", "check the file and its permissions"));
  return text;
}

/// Line and column, from 1, of a byte offset.
std::string place(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t start = before.rfind('\n') + 1;  // npos + 1 is 0
  return fmt::format("line {}, column {}", line, before.size() - start + 1);
}

/// Nesting depth outside strings, found without recursion; also where it passes the limit.
Expected<void> checkDepth(std::string_view text, const std::string& name, int max_depth) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      if (++depth > max_depth) {
        return Unexpected(Error{ErrorCode::BadInput, name, place(text, i), "",
                                fmt::format("is nested more than {} deep", max_depth),
                                "is this the right file?"});
      }
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  return {};
}

/// The parser's own words without its codes: "[json.exception.parse_error.101] parse error at line 1, column
/// 2: syntax error while ..." becomes "syntax error while ...".
std::string reason(std::string_view what) {
  const auto start = what.find("syntax error");
  if (start == std::string_view::npos) {
    const auto colon = what.rfind(": ");
    return std::string(colon == std::string_view::npos ? what : what.substr(colon + 2));
  }
  return std::string(what.substr(start));
}

std::string remedyFor(std::string_view text, std::size_t offset) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) return "the file is empty";
  if (offset >= text.size()) return "the file ends too early; was it cut off?";
  const std::string_view at = text.substr(offset > 0 ? offset - 1 : 0, 12);
  if (at.find("NaN") != std::string_view::npos || at.find("Inf") != std::string_view::npos ||
      at.find("nan") != std::string_view::npos) {
    return "numbers must be finite; JSON has no NaN or Infinity";
  }
  const std::string_view near = at.substr(0, 3);
  if (near.find("//") != std::string_view::npos || near.find("/*") != std::string_view::npos)
    return "JSON has no comments";
  return "look for a missing comma, quote or bracket just before";
}

}  // namespace

Expected<std::string> readText(const std::filesystem::path& path, std::size_t max_bytes) {
  if (path == "-") return readStream(stdin, "standard input", max_bytes);
  const std::string name = path.string();
  std::error_code failure;
  const auto status = std::filesystem::status(path, failure);
  if (!std::filesystem::exists(status)) return Unexpected(ioError(name, "does not exist", "check the path"));
  if (std::filesystem::is_directory(status))
    return Unexpected(ioError(name, "is a folder", "name a file in it"));
  if (std::filesystem::is_regular_file(status)) {
    const auto size = std::filesystem::file_size(path, failure);
    if (!failure && size > max_bytes) return Unexpected(tooLarge(name, size, max_bytes));
  }
  std::FILE* stream = std::fopen(name.c_str(), "rb");
  if (stream == nullptr) return Unexpected(ioError(name, "cannot be opened", "check its permissions"));
  auto text = readStream(stream, name, max_bytes);
  std::fclose(stream);
  return text;
}

Expected<nlohmann::json> parse(std::string_view text, const std::string& name, Limits limits) {
  if (text.size() > limits.max_bytes) return Unexpected(tooLarge(name, text.size(), limits.max_bytes));
  if (auto shallow = checkDepth(text, name, limits.max_depth); !shallow) return Unexpected(shallow.error());
  try {
    return nlohmann::json::parse(text.begin(), text.end());
  } catch (const nlohmann::json::parse_error& error) {
    const std::size_t offset = error.byte > 0 ? error.byte - 1 : 0;
    return Unexpected(Error{ErrorCode::BadInput, name, place(text, offset), "",
                            "is not JSON: " + reason(error.what()), remedyFor(text, offset)});
  } catch (const nlohmann::json::exception& error) {  // a number beyond the range of double
    const std::string_view what = error.what();  // "[json.exception.out_of_range.406] number overflow ..."
    return Unexpected(Error{ErrorCode::BadInput, name, "", "", std::string(what.substr(what.find("] ") + 2)),
                            "use a smaller number"});
  }
}

Expected<nlohmann::json> parseFile(const std::filesystem::path& path, Limits limits) {
  const auto text = readText(path, limits.max_bytes);
  if (!text) return Unexpected(text.error());
  return parse(*text, path == "-" ? "standard input" : path.string(), limits);
}

}  // namespace decodescope::json
