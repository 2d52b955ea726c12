// Every constant of collectives.json takes part in some prediction, and the rows of published measurements
// are read as their authors meant them.
#include <QTemporaryDir>
#include <QtTest>

#include "network/collective_forms.h"
#include "network/collective_rows.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

using namespace decodescope;
using namespace decodescope::network;

namespace {

using Pointer = nlohmann::json::json_pointer;

std::filesystem::path catalogFolder() {
  return std::filesystem::path(DECODESCOPE_SOURCE_DIR) / "resources/catalog";
}

void collect(const nlohmann::json& value, const Pointer& at, std::vector<Pointer>& out) {
  if (value.is_number()) out.push_back(at);
  if (!value.is_object() && !value.is_array()) return;
  for (const auto& [key, part] : value.items()) collect(part, at / key, out);
}

/// Costs over chips, engines, collectives, groups and sizes, and every named algorithm.
std::vector<double> predictions(const Catalog& catalog) {
  std::vector<double> out;
  for (const auto& [system_id, engines] : std::vector<std::pair<const char*, std::vector<const char*>>>{
           {"dgx-a100", {"vllm", "sglang", "trtllm"}},
           {"dgx-h100", {"vllm", "sglang", "trtllm"}},
           {"dgx-b200", {"vllm", "sglang", "trtllm"}},
           {"gb200-nvl72", {"vllm", "sglang", "trtllm"}},
           {"vr-nvl72", {"vllm"}},
           {"mi300x-8", {"vllm"}},
           {"tpu-v5e-pod", {"jetstream"}},
           {"l40s-8", {"vllm"}}}) {
    const SystemSpec& listed = **catalog.system(system_id);
    const ChipSpec& chip = **catalog.chip(listed.chip);
    SystemSpec system = listed;
    if (std::string_view(system_id) == "tpu-v5e-pod")
      system.graph.link_latency_s = 0;  // then the file's hop counts
    for (const char* engine : engines) {
      const auto model = *CollectiveModel::make(catalog, chip, system, **catalog.engine(engine));
      const auto& c = model.constants();
      for (const double bytes : {1e2, 3e4, 3e5, 3e6, 3e7, 1e9, 2e10}) {
        for (const GroupShape group :
             {GroupShape{2, 2}, GroupShape{8, 8}, GroupShape{16, 8}, GroupShape{64, 8}, GroupShape{32, 32}}) {
          for (const Collective kind :
               {Collective::AllReduce, Collective::AllGather, Collective::AllToAll, Collective::SendRecv}) {
            out.push_back(model.cost(kind, group, bytes).total_s());
          }
        }
        if (c.custom) {
          for (const double g : {2.0, 8.0}) {
            out.push_back(forms::oneShot(*c.custom, g, bytes).total_s());
            out.push_back(forms::twoShot(*c.custom, g, bytes).total_s());
            out.push_back(forms::eagerAllReduce(c, g, bytes).total_s());
            out.push_back(forms::eagerLibraryAllReduce(c, g, bytes).total_s());
          }
        }
        if (c.nvls.bytes_per_s > 0) out.push_back(forms::nvlsAllReduce(c.nvls, 8, bytes).total_s());
        for (const double constant :
             {c.symmetric.multimem_s, c.symmetric.multimem_bytes_per_s, c.symmetric.two_shot_s,
              c.symmetric.two_shot_bytes_per_s, c.symmetric.zero_copy_s}) {
          out.push_back(constant);  // used by rows of published symmetric-memory kernels
        }
        out.push_back(c.kv_transfer_s + bytes * c.kv_transfer_nic_ratio);
      }
      for (const double tokens : {1.0, 100.0, 10000.0}) {
        const forms::ExpertTraffic traffic{tokens, 8, 7168, false};
        for (const auto* phase : {&c.deepep_dispatch, &c.deepep_combine}) {
          if (!*phase) continue;
          for (const GroupShape group : {GroupShape{8, 8}, GroupShape{32, 8}}) {
            out.push_back(forms::deepEpLowLatency(**phase, c, group, traffic).total_s());
            out.push_back(forms::deepEpNormal(**phase, c, group, traffic).total_s());
          }
        }
        if (!c.domain) continue;
        for (const auto* exchange :
             {&c.domain->one_sided_dispatch, &c.domain->one_sided_combine, &c.domain->two_sided_prepare,
              &c.domain->two_sided_dispatch, &c.domain->two_sided_combine,
              &c.domain->two_sided_combine_low_precision}) {
          out.push_back(forms::domainExchange(*exchange, "", 32, traffic).total_s());
        }
      }
    }
  }
  return out;
}

}  // namespace

class CollectiveConstantsTest : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    catalog_ = *Catalog::load(std::vector{catalogFolder()});
    QVERIFY(catalog_);
  }

  void everyConstantMatters() {
    std::ifstream file(catalogFolder() / "collectives.json");
    const auto document = nlohmann::json::parse(file);
    std::vector<Pointer> pointers;
    for (const char* part : {"libraries", "nvls", "generic", "chips"})
      collect(document.at(part), Pointer() / part, pointers);
    QVERIFY(pointers.size() > 150);
    const auto original = predictions(*catalog_);
    std::string unused;
    for (const Pointer& pointer : pointers) {
      auto changed = document;
      const double value = changed[pointer].get<double>();
      changed[pointer] = value == 0 ? 1.0 : value * 1.3;
      QTemporaryDir folder;
      std::ofstream(folder.filePath("collectives.json").toStdString()) << changed.dump();
      const auto catalog =
          Catalog::load(std::vector{catalogFolder(), std::filesystem::path(folder.path().toStdString())});
      QVERIFY2(catalog.has_value(), pointer.to_string().c_str());
      const auto now = predictions(**catalog);
      bool differs = false;
      for (std::size_t i = 0; i < now.size() && !differs; ++i)
        differs = std::abs(now[i] - original[i]) > 1e-9 * std::abs(original[i]);
      if (!differs) unused += pointer.to_string() + " ";
    }
    QVERIFY2(unused.empty(), unused.c_str());
  }

  void systemsAreReadFromTheirDescriptions() {
    const auto nodes = parseSystem(*catalog_, "H100-SXM x8 nodes + 400G RDMA/GPU");
    QCOMPARE(nodes->chip->id, std::string("h100-sxm"));
    QCOMPARE(nodes->domain_chips, 8);
    QCOMPARE(nodes->nic_bytes_per_s, 50e9);
    QCOMPARE(parseSystem(*catalog_, "GB200 NVL72 x20 racks + IB")->domain_chips, 72);
    QCOMPARE(parseSystem(*catalog_, "H20 x8 nodes + 400G RDMA/GPU")->chip->id, std::string("h20-sxm"));
    QCOMPARE(parseSystem(*catalog_, "H200-SXM x8 node")->chip->id, std::string("h200-sxm"));
    QCOMPARE(parseSystem(*catalog_, "TPU v4 pod 16x16x16")->system.id, std::string("tpu-v4-pod"));
    QVERIFY(!parseSystem(*catalog_, "a room full of abaci").has_value());
  }

  void rowsInTheirOwnMetric() {
    const auto table = csv::Table::parse(
        "system,n_ranks,collective,bytes,tokens_per_rank,metric,note\n"
        "H100-SXM x8 node,8,all_reduce,1000000000,,latency_us,\n"
        "H100-SXM x8 node,8,all_reduce,1000000000,,busbw_GBps,\n"
        "H100-SXM x8 nodes + 400G RDMA/GPU,64,ep_dispatch_deepep_ll_fp8,,128,latency_us,hidden=7168 top8\n"
        "H100-SXM x8 node,8,all_reduce,,,latency_us,\n"
        "H100-SXM x8 node,8,all_swap,10,,latency_us,\n"
        "abacus,8,all_reduce,10,,latency_us,\n"
        "TPU v5e pod 16x16,256,all_reduce_bandwidth_per_pod,,,TB/s,\n"
        "H100-SXM x8 node,8,all_reduce,-5,,latency_us,\n",
        "rows.csv");
    CollectiveRowPredictor predictor(*catalog_, "", false);
    const double us = *predictor.predict(*table, 0), bus = *predictor.predict(*table, 1);
    QVERIFY(std::abs(bus - 1e9 / (us * 1e-6) * 1.75 / 1e9) < 1e-9 * bus);
    // Measured 166.77 us (SGLang 0.5.6).
    QVERIFY(std::abs(*predictor.predict(*table, 2) / 166.77 - 1) < 0.05);
    for (const std::size_t row : {3, 4, 5, 7}) {
      const auto result = predictor.predict(*table, row);
      QVERIFY(!result.has_value());
      QVERIFY(result.error().file.starts_with("rows.csv:"));
    }
    QVERIFY(std::abs(*predictor.predict(*table, 6) - 51.2) < 1e-9);
  }

  void leavingAChipOutTakesItsSiblings() {
    const auto table = csv::Table::parse(
        "system,n_ranks,collective,bytes,tokens_per_rank,metric,note\n"
        "B200-SXM x8 node,8,all_gather,1048576,,latency_us,\n"
        "GB200 NVL72,8,all_gather,1048576,,latency_us,\n",
        "rows");
    CollectiveRowPredictor own(*catalog_, "", false), others(*catalog_, "", true),
        without(*catalog_, "b200-sxm", false);
    QCOMPARE(*others.predict(*table, 0), *own.predict(*table, 1));  // same links, GB200's constants
    QCOMPARE(*without.predict(*table, 0), *others.predict(*table, 0));
    QCOMPARE(*without.predict(*table, 1), *own.predict(*table, 1));
  }

 private:
  std::shared_ptr<const Catalog> catalog_;
};

QTEST_GUILESS_MAIN(CollectiveConstantsTest)
#include "tst_collective_constants.moc"
