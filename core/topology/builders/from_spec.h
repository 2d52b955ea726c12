// Rows of the registry: the words of a specification, or a system of the catalog, to the shape that a builder
// takes.
#pragma once

#include "catalog/system_spec.h"
#include "topology/sketch.h"
#include "topology/spec.h"

namespace decodescope::topology {

Expected<Sketch> starFromSpec(const SpecParameters&);
Expected<Sketch> twoTierFromSpec(const SpecParameters&);
Expected<Sketch> nvl36x2FromSpec(const SpecParameters&);
Expected<Sketch> cloudmatrixFromSpec(const SpecParameters&);
Expected<Sketch> fullMeshFromSpec(const SpecParameters&);
Expected<Sketch> torusFromSpec(const SpecParameters&);
Expected<Sketch> hypercubeFromSpec(const SpecParameters&);
Expected<Sketch> fatTreeFromSpec(const SpecParameters&);
Expected<Sketch> leafSpineFromSpec(const SpecParameters&);
Expected<Sketch> railFromSpec(const SpecParameters&);
Expected<Sketch> dragonflyFromSpec(const SpecParameters&);
Expected<Sketch> hyperxFromSpec(const SpecParameters&);

Expected<Sketch> starDomain(const SystemSpec&, int chips);
Expected<Sketch> twoTierDomain(const SystemSpec&, int chips);
Expected<Sketch> nvl36x2Domain(const SystemSpec&, int chips);
Expected<Sketch> cloudmatrixDomain(const SystemSpec&, int chips);
Expected<Sketch> fullMeshDomain(const SystemSpec&, int chips);
Expected<Sketch> torusDomain(const SystemSpec&, int chips);

}  // namespace decodescope::topology
