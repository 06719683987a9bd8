package io.peerlens.supermetrics.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.peerlens.supermetrics.formula.Formula;
import io.peerlens.supermetrics.formula.Function;
import io.peerlens.supermetrics.formula.LanguageReference;
import io.peerlens.supermetrics.formula.LanguageReference.Example;
import io.peerlens.supermetrics.formula.LanguageReference.Thing;
import io.peerlens.supermetrics.formula.ObjectKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Keeps docs/formula-language.md true. When it differs from what the code says, the new text lies
 * in target/formula-language.md: look at it and copy it.
 */
class LanguageReferenceTest {

  private static final Path DOC = Path.of("..", "docs", "formula-language.md");
  private static final Path NEW = Path.of("target", "formula-language.md");

  static Stream<Example> examples() {
    return LanguageReference.sections().stream().flatMap(section -> section.examples().stream());
  }

  @ParameterizedTest
  @MethodSource("examples")
  void theExampleYieldsWhatTheDocumentSays(Example example) {
    World world = world();
    double value = world.value(example.formula(), example.object());
    Thing thing =
        LanguageReference.world().stream()
            .filter(one -> one.name().equals(example.object()))
            .findFirst()
            .orElseThrow();
    ObjectKind kind = World.kind(thing.kind());
    Definition definition =
        new Definition(new UUID(0, 1), Formula.parse(example.formula()), List.of(kind));
    int object =
        world.objects().id(kind, world.objects().find(kind, thing.name(), java.util.Map.of()));
    double explained =
        new Explainer(world, Program.Options.DEFAULT, Explainer.Limits.DEFAULT)
            .explain(definition, kind, object)
            .value();
    if (Double.isNaN(example.value())) {
      assertThat(value).isNaN();
      assertThat(explained).isNaN();
    } else {
      assertThat(value).isCloseTo(example.value(), within(1e-12));
      assertThat(explained).isCloseTo(example.value(), within(1e-12));
    }
  }

  @Test
  void theDocumentIsThatOfTheCode() throws IOException {
    String text = LanguageReference.markdown();
    Files.createDirectories(NEW.toAbsolutePath().getParent());
    Files.writeString(NEW, text);
    assertThat(Files.exists(DOC) ? Files.readString(DOC) : "")
        .as("docs/formula-language.md; the new text is super-metrics/target/formula-language.md")
        .isEqualTo(text);
  }

  @Test
  void everyFunctionIsInTheDocument() {
    String text = LanguageReference.markdown();
    assertThat(Function.values())
        .allSatisfy(f -> assertThat(text).contains("`" + f.signature() + "`"));
  }

  private static World world() {
    World world = new World();
    for (Thing thing : LanguageReference.world()) {
      List<Object> values = new ArrayList<>(thing.values());
      for (int i = 0; i < values.size(); i += 2) {
        values.set(i, ((String) values.get(i)).replace("~", ""));
      }
      world.add(thing.kind(), thing.name(), values.toArray());
      for (int i = 0; i < values.size(); i += 2) {
        if (((String) thing.values().get(i)).startsWith("~")) {
          world.stale(thing.name(), (String) values.get(i));
        }
      }
    }
    for (Thing thing : LanguageReference.world()) {
      world.relate(thing.name(), thing.children().toArray(new String[0]));
    }
    return world;
  }
}
