package io.peerlens.supermetrics.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.supermetrics.SuperMetric;
import io.peerlens.supermetrics.file.PackExamples.Example;
import io.peerlens.supermetrics.file.PackExamples.Expected;
import io.peerlens.supermetrics.file.PackExamples.Node;
import io.peerlens.supermetrics.file.Packs.Pack;
import io.peerlens.supermetrics.formula.Formula;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.Definition;
import io.peerlens.supermetrics.program.Program;
import io.peerlens.supermetrics.program.Results;
import io.peerlens.supermetrics.program.World;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The packs of the product, computed for their worked examples. */
class PackValuesTest {

  static List<Pack> packs() {
    return Packs.all();
  }

  static Stream<Arguments> examples() throws IOException {
    List<Arguments> examples = new ArrayList<>();
    for (Pack pack : Packs.all()) {
      for (Example example : PackExamples.of(pack.name()).examples()) {
        examples.add(Arguments.of(pack.name(), example.name(), pack, example));
      }
    }
    return examples.stream();
  }

  @ParameterizedTest
  @MethodSource("packs")
  void formulasOfPacksHaveNoErrorsAndNoWarnings(Pack pack) {
    assertThat(pack.superMetrics())
        .allSatisfy(it -> assertThat(Formula.parse(it.formula()).render()).isEmpty());
  }

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("examples")
  void packsGiveTheValuesOfTheirExamples(
      String name, String situation, Pack pack, Example example) {
    World world = new World();
    Map<String, Integer> ids = new HashMap<>();
    for (Node node : example.objects()) {
      List<Object> values = new ArrayList<>();
      addTo(values, node.metrics());
      addTo(values, node.properties());
      world.add(node.kind(), node.name(), values.toArray());
      ids.put(node.name(), ids.size() + 1);
    }
    for (Node node : example.objects()) {
      for (String parent : node.parents() == null ? List.<String>of() : node.parents()) {
        world.relate(parent, node.name());
      }
    }
    Map<String, UUID> superMetrics = new HashMap<>();
    List<Definition> definitions = new ArrayList<>();
    for (SuperMetric it : pack.superMetrics()) {
      superMetrics.put(it.name(), it.id());
      definitions.add(
          new Definition(
              it.id(),
              Formula.parse(it.formula()),
              it.assignedTo().stream()
                  .map(kind -> new ObjectKind(kind.adapterKind(), kind.objectKind()))
                  .toList()));
    }

    Results results =
        Program.of(definitions, Program.Options.DEFAULT).run(world, Program.Enabled.ALL);

    assertThat(example.expect()).isNotEmpty();
    for (Expected expected : example.expect()) {
      ObjectKind kind =
          example.objects().stream()
              .filter(node -> node.name().equals(expected.object()))
              .map(node -> World.kind(node.kind()))
              .findFirst()
              .orElseThrow();
      Results.Result result = results.of(superMetrics.get(expected.superMetric()), kind);
      assertThat(result).as(expected.toString()).isNotNull();
      if (result != null) {
        double value = result.values()[world.objects().number(kind, ids.get(expected.object()))];
        if (expected.value() == null) {
          assertThat(value).as(expected.toString()).isNaN();
        } else {
          assertThat(value)
              .as(expected.toString())
              .isEqualTo(expected.value(), Offset.offset(1e-9));
        }
      }
    }
  }

  private static void addTo(List<Object> values, @Nullable Map<String, ?> more) {
    if (more != null) {
      more.forEach(
          (key, value) -> {
            values.add(key);
            values.add(value);
          });
    }
  }
}
