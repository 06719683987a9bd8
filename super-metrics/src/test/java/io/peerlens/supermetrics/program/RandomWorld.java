package io.peerlens.supermetrics.program;

import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.formula.RandomFormulas;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** A few objects with random values and relations, for the formulas of {@link RandomFormulas}. */
final class RandomWorld {

  private RandomWorld() {}

  static World of(long seed) {
    Random random = new Random(seed);
    World world = new World();
    List<List<String>> levels = new ArrayList<>();
    int[] counts = {1 + random.nextInt(2), 1 + random.nextInt(3), random.nextInt(8)};
    for (int level = 0; level < counts.length; level++) {
      String kind = RandomFormulas.KINDS.get(level);
      List<String> names = new ArrayList<>();
      for (int i = 0; i < counts[level]; i++) {
        String handle = kind.toLowerCase(java.util.Locale.ROOT) + "-" + i;
        String name = random.nextInt(5) == 0 ? "same" : handle;
        world.add(new ObjectKind(RandomFormulas.ADAPTER, kind), handle, name, values(random));
        world.identifiers(
            handle, Map.of("VMEntityObjectID", "vm-" + random.nextInt(3), "VMEntityVCID", "vc"));
        if (random.nextInt(3) == 0) {
          world.stale(handle, random.nextBoolean() ? "mem|usage" : "cpu|usage");
        }
        names.add(handle);
      }
      levels.add(names);
    }
    for (int level = 0; level + 1 < levels.size(); level++) {
      for (String child : levels.get(level + 1)) {
        for (String parent : levels.get(level)) {
          if (random.nextInt(3) > 0) {
            world.relate(parent, child);
          }
        }
      }
    }
    if (!levels.get(2).isEmpty() && random.nextBoolean()) {
      world.relate(levels.get(0).getFirst(), levels.get(2).getFirst());
    }
    return world;
  }

  private static Object[] values(Random random) {
    List<Object> values = new ArrayList<>();
    maybe(values, "cpu|usage", random.nextInt(10), random);
    maybe(values, "mem|usage", random.nextInt(20) / 4.0 - 1, random);
    maybe(values, "some.key|a b/c-d", random.nextInt(3), random);
    maybe(
        values,
        "config|name",
        List.of("web", "5", "it's", "a web", "Core(TM) i7", "", "-2.5").get(random.nextInt(7)),
        random);
    maybe(values, "g|i", random.nextInt(5), random);
    maybe(values, "g:0|i", random.nextInt(5), random);
    maybe(values, "g:1|i", random.nextBoolean() ? "text" : "3", random);
    maybe(values, "g:Aggregate of all instances|i", 7, random);
    maybe(values, "a:x|b:1|c", random.nextInt(5), random);
    maybe(values, "a:y|b|c", random.nextInt(5), random);
    maybe(values, "a:x|b|c|d", 1, random);
    return values.toArray();
  }

  private static void maybe(List<Object> values, String key, Object value, Random random) {
    if (random.nextInt(3) > 0) {
      values.add(key);
      values.add(value);
    }
  }
}
