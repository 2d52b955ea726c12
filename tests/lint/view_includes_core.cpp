// Must fail to compile with the include path of a view.
#include "engine/engine.h"

int main() {
  return 0;
}
