package io.peerlens.supermetric;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.frame.Frames;
import io.peerlens.supermetrics.file.ImportReader;
import io.peerlens.supermetrics.formula.Formula;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.Definition;
import io.peerlens.supermetrics.program.Frame;
import io.peerlens.supermetrics.program.Input;
import io.peerlens.supermetrics.program.Program;
import io.peerlens.supermetrics.program.Results;
import io.peerlens.support.Capture;
import io.peerlens.support.PeerlensServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Published super metrics, unchanged, on what Telegraf sent of a vCenter simulator: those whose
 * keys exist there yield data.
 */
@Timeout(300)
class PublishedFormulasIT {

  @Test
  void formulasWhoseKeysExistYieldDataOnTheCapture() throws Exception {
    Capture capture = Capture.orSkip("telegraf-vsphere/vsphere-main.lp.gz");
    try (PeerlensServer server = capture.stored(line -> line.substring(0, line.indexOf(' ')))) {
      JdbcClient jdbc = server.context().getBean(JdbcClient.class);
      Instant tick =
          jdbc.sql("select max(time) from sample")
              .query((row, number) -> row.getObject(1, OffsetDateTime.class).toInstant())
              .single();
      Map<UUID, String> names = new LinkedHashMap<>();
      List<Definition> definitions = published(names);
      Program program = Program.of(definitions, Program.Options.DEFAULT);
      Frame frame = server.context().getBean(Frames.class).load(program.inputs(), tick);
      Results results = program.run(frame, Program.Enabled.ALL);

      Set<String> withData = new TreeSet<>();
      Set<String> ofNothing = new TreeSet<>();
      Set<String> silent = new TreeSet<>();
      for (Results.Result result : results.columns()) {
        assertThat(result.error()).as(names.get(result.id())).isNull();
        int objects = frame.objects().count(result.kind());
        assertThat(
                result.computed()
                    + result.noData().values().stream().mapToInt(Integer::intValue).sum())
            .as("every object has a value or a reason: %s", names.get(result.id()))
            .isEqualTo(objects);
        String line =
            "%s on %s: %d of %d %s"
                .formatted(
                    names.get(result.id()),
                    result.kind().objectKind(),
                    result.computed(),
                    objects,
                    result.noData());
        long known = knownKeys(definitions, result, frame);
        if (result.computed() > 0) {
          (known > 0 ? withData : ofNothing).add(line);
        } else if (objects > 0 && known == inputs(definitions, result).size()) {
          silent.add(line);
        }
      }
      System.out.printf(
          "%d published super metrics. With data of keys that the capture has: %d%n  %s%n"
              + "With data because they count what is not there, or are constants: %d%n  %s%n",
          definitions.size(),
          withData.size(),
          String.join("\n  ", withData),
          ofNothing.size(),
          String.join("\n  ", ofNothing));
      assertThat(silent).as("all their keys are here, and yet no data").isEmpty();
      assertThat(withData)
          .anyMatch(
              line -> line.startsWith("Average VM CPU Usage on ClusterComputeResource: 6 of 6"));
    }
  }

  /** How many of a formula's columns exist. */
  private static long knownKeys(List<Definition> definitions, Results.Result result, Frame frame) {
    return inputs(definitions, result).stream()
        .filter(
            input ->
                !input.kind().isEvery()
                    && (input.attribute()
                            ? frame.instances(input.kind(), input.key())
                            : frame.column(input.kind(), input.key()))
                        != null)
        .count();
  }

  private static Set<Input> inputs(List<Definition> definitions, Results.Result result) {
    Definition definition =
        definitions.stream().filter(d -> d.id().equals(result.id())).findFirst().orElseThrow();
    Definition alone = new Definition(result.id(), definition.formula(), List.of(result.kind()));
    return Program.of(List.of(alone), Program.Options.DEFAULT).inputs();
  }

  /** Every published super metric once. */
  private static List<Definition> published(Map<UUID, String> names) throws Exception {
    Map<UUID, Definition> definitions = new LinkedHashMap<>();
    try (Stream<Path> files = Files.list(Capture.CORPUS.resolve("super-metrics"))) {
      for (Path file : files.filter(f -> f.toString().endsWith(".json")).sorted().toList()) {
        new ImportReader()
            .read(file.getFileName().toString(), Files.readAllBytes(file))
            .superMetrics()
            .forEach(
                found -> {
                  names.putIfAbsent(found.definition().id(), found.definition().name());
                  definitions.putIfAbsent(
                      found.definition().id(),
                      new Definition(
                          found.definition().id(),
                          Formula.parse(found.definition().formula()),
                          found.definition().assignedTo().stream()
                              .map(kind -> new ObjectKind(kind.adapterKind(), kind.objectKind()))
                              .toList()));
                });
      }
    }
    return List.copyOf(definitions.values());
  }
}
