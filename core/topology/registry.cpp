#include "topology/registry.h"

#include "base/text_distance.h"
#include "base/units.h"
#include "topology/builders/from_spec.h"

#include <fmt/format.h>

namespace decodescope::topology {

namespace {

constexpr BuilderEntry kBuilders[] = {
    {"star", "n=CHIPS,planes=PLANESxLINKS|A+B+...", "star:n=72,planes=18x1@50", starFromSpec, starDomain},
    {"two-tier", "groups=G,chips=PER_GROUP,planes=P,l2=SWITCHES_PER_PLANE,links=PER_PAIR",
     "two-tier:groups=16,chips=36,planes=18,l2=9,links=4@50", twoTierFromSpec, twoTierDomain},
    {"nvl36x2", "", "nvl36x2", nvl36x2FromSpec, nvl36x2Domain},
    {"cloudmatrix384", "", "cloudmatrix384", cloudmatrixFromSpec, cloudmatrixDomain},
    {"full-mesh", "CHIPS", "full-mesh:8@64", fullMeshFromSpec, fullMeshDomain},
    {"torus", "XxYxZ[,wrap=110]", "torus:4x4x4@90", torusFromSpec, torusDomain},
    {"hypercube", "DIMENSIONS", "hypercube:6@50", hypercubeFromSpec, nullptr},
    {"fat-tree", "k=PORTS", "fat-tree:k=8@50", fatTreeFromSpec, nullptr},
    {"leaf-spine", "leaves=L,hosts=PER_LEAF,spines=S,links=PER_PAIR[,spine_gb=GB/s]",
     "leaf-spine:leaves=8,hosts=8,spines=4,links=1@50", leafSpineFromSpec, nullptr},
    {"rail", "nodes=PER_UNIT,rails=R,spines=S,links=PER_PAIR[,units=U][,star=A+B+...][,star_gb=GB/s]",
     "rail:nodes=32,rails=8,spines=4,links=8@50", railFromSpec, nullptr},
    {"dragonfly", "a=ROUTERS_PER_GROUP,p=HOSTS_PER_ROUTER,h=GLOBAL_LINKS", "dragonfly:a=4,p=2,h=2@50",
     dragonflyFromSpec, nullptr},
    {"hyperx", "S1xS2x...,t=HOSTS_PER_ROUTER[,links=PER_PAIR]", "hyperx:4x4,t=4@50", hyperxFromSpec, nullptr},
};

}  // namespace

std::span<const BuilderEntry> builders() {
  return kBuilders;
}

Expected<const BuilderEntry*> findBuilder(std::string_view kind, std::string_view field) {
  std::vector<std::string_view> kinds;
  for (const BuilderEntry& entry : kBuilders) {
    if (entry.kind == kind) return &entry;
    kinds.push_back(entry.kind);
  }
  Error error;
  error.code = ErrorCode::NotFound;
  error.field = field;
  error.value = kind;
  error.message = "no such kind of topology";
  error.remedy = didYouMean(kind, kinds);
  if (error.remedy.empty()) error.remedy = fmt::format("kinds are {}", fmt::join(kinds, ", "));
  return Unexpected(error);
}

std::string specHelp() {
  std::string out;
  for (const BuilderEntry& entry : kBuilders)
    out += fmt::format("  {}{}{}  (such as {})\n", entry.kind, entry.parameters.empty() ? "" : ":",
                       entry.parameters, entry.example);
  return out;
}

}  // namespace decodescope::topology
