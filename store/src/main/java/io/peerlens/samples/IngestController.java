package io.peerlens.samples;

import io.peerlens.api.IngestApi;
import io.peerlens.api.model.DeadLetterPage;
import io.peerlens.api.model.DeadLetterReasonList;
import io.peerlens.api.model.IngestMapping;
import io.peerlens.api.model.IngestStatus;
import io.peerlens.api.model.MappingList;
import io.peerlens.api.model.MappingSource;
import io.peerlens.api.model.ReplayRequest;
import io.peerlens.api.model.ReplayResult;
import io.peerlens.ingest.mapping.Mappings;
import io.peerlens.web.ApiException;
import io.peerlens.web.Moments;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Controller of the tag Ingest. */
@RestController
final class IngestController implements IngestApi {

  private final IngestStatusReader status;
  private final DeadLetters letters;
  private final DeadLetterReplay replay;
  private final Mappings mappings;
  private final InstantSource clock;

  IngestController(
      IngestStatusReader status,
      DeadLetters letters,
      DeadLetterReplay replay,
      Mappings mappings,
      InstantSource clock) {
    this.status = status;
    this.letters = letters;
    this.replay = replay;
    this.mappings = mappings;
    this.clock = clock;
  }

  @Override
  public ResponseEntity<IngestStatus> getIngestStatus() {
    return ResponseEntity.ok(status.read());
  }

  @Override
  public ResponseEntity<DeadLetterPage> listDeadLetters(
      @Nullable String reason,
      @Nullable String topic,
      @Nullable String from,
      @Nullable String to,
      @Nullable Boolean replayed,
      Integer limit,
      @Nullable String cursor) {
    Window window = window(from, to);
    String scope =
        String.join(
            "\n",
            "dead-letters",
            String.valueOf(reason),
            String.valueOf(topic),
            String.valueOf(from),
            String.valueOf(to),
            String.valueOf(replayed));
    return ResponseEntity.ok(
        letters.page(
            new DeadLetters.Filter(window.from, window.to, reason, topic, replayed),
            scope,
            limit,
            cursor));
  }

  @Override
  public ResponseEntity<DeadLetterReasonList> listDeadLetterReasons(
      @Nullable String from, @Nullable String to) {
    Window window = window(from, to);
    return ResponseEntity.ok(new DeadLetterReasonList(letters.reasons(window.from, window.to)));
  }

  @Override
  public ResponseEntity<ReplayResult> replayDeadLetters(ReplayRequest request) {
    List<Long> ids = request.getIds();
    if (ids == null && request.getReason() == null && request.getTopic() == null) {
      throw ApiException.invalidField("ids", "at least one of ids, reason and topic is needed");
    }
    return ResponseEntity.ok(
        replay.replay(
            new DeadLetterReplay.Request(
                ids,
                request.getReason(),
                request.getTopic(),
                Boolean.TRUE.equals(request.getDryRun()))));
  }

  @Override
  public ResponseEntity<MappingList> listMappings() {
    Map<String, Long> matched = status.matchedSeries();
    return ResponseEntity.ok(
        new MappingList(
            mappings.sources().stream()
                .map(source -> mapping(source, matched.getOrDefault(source.file(), 0L)))
                .toList()));
  }

  private IngestMapping mapping(Mappings.Source source, long matchedSeries) {
    return new IngestMapping(
        source.file().replaceFirst("\\.yaml$", ""),
        source.shipped() ? MappingSource.BUILT_IN : MappingSource.DIRECTORY,
        source.file(),
        source.collector(),
        YAMLMapper.shared().readTree(source.yaml()).path("adapterKind").asString(""),
        mappings.uses().stream()
            .filter(use -> use.file().equals(source.file()))
            .map(Mappings.Use::objectKind)
            .distinct()
            .toList(),
        matchedSeries,
        source.yaml());
  }

  private record Window(Instant from, Instant to) {}

  private Window window(@Nullable String from, @Nullable String to) {
    Instant end = to == null ? clock.instant() : Moments.parameter("to", to);
    Instant begin = from == null ? end.minus(Duration.ofDays(1)) : Moments.parameter("from", from);
    if (!begin.isBefore(end)) {
      throw ApiException.invalidParameter("from", "must be before to");
    }
    return new Window(begin, end);
  }
}
