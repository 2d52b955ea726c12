// decodescope-cli kernels: the kernel cost model on rows of kernel shapes.
#include "kernel/kernel_rows.h"
#include "row_command.h"

#include <fmt/format.h>

namespace decodescope::cli {
namespace {

constexpr double kMicrosecondsPerSecond = 1e6;

/// Attention kernels are a library's own, so their errors stand apart.
std::string groupOf(const csv::Table& table, std::size_t row) {
  const std::string_view op = table.cell(row, "op");
  return op == "attn_decode" ? fmt::format("{}({})", op, table.cell(row, "framework")) : std::string(op);
}

std::vector<RowResult> predictKernels(const Catalog& catalog, const csv::Table& table,
                                      const RowArguments& arguments) {
  kernel::KernelRowPredictor predictor(catalog, arguments.exclude_chip, arguments.leave_one_out);
  std::vector<RowResult> results;
  results.reserve(table.size());
  for (std::size_t row = 0; row < table.size(); ++row) {
    auto microseconds =
        predictor.seconds(table, row).map([](double s) { return s * kMicrosecondsPerSecond; });
    const std::string_view published = table.cell(row, "chip");
    results.push_back({std::move(microseconds), groupOf(table, row),
                       kernel::chipIdOf(catalog, published).value_or(std::string(published))});
  }
  return results;
}

}  // namespace

Run addKernelsCommand(CLI::App& command) {
  auto arguments = std::make_shared<RowArguments>();
  arguments->add(command);
  command.footer(
      "Columns: chip framework op dtype kv_dtype M N K batch seq heads kv_heads head_dim tokens experts topk "
      "ep tp hidden "
      "inter dist, and measured_us for the summary of errors. Adds predicted_us, status, predicted_by.");
  return [arguments](Context& context) {
    return runRows(context, *arguments,
                   {"kernels", "predicted_us", "measured_us", {"chip", "op"}, predictKernels});
  };
}

}  // namespace decodescope::cli
