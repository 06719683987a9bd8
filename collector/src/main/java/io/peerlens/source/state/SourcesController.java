package io.peerlens.source.state;

import static java.util.Objects.requireNonNull;

import io.peerlens.api.SourcesApi;
import io.peerlens.api.model.CollectedSourceKind;
import io.peerlens.api.model.SecretRef;
import io.peerlens.api.model.Source;
import io.peerlens.api.model.SourceCounts;
import io.peerlens.api.model.SourceEdit;
import io.peerlens.api.model.SourceErrorPage;
import io.peerlens.api.model.SourceKind;
import io.peerlens.api.model.SourcePart;
import io.peerlens.api.model.SourceState;
import io.peerlens.api.model.SourceSummary;
import io.peerlens.api.model.SourceSummaryPage;
import io.peerlens.api.model.SourceTrust;
import io.peerlens.api.model.SourceVersion;
import io.peerlens.api.model.SourceVersionPage;
import io.peerlens.definition.DefinitionEndpoints;
import io.peerlens.definition.StoredRule;
import io.peerlens.security.Caller;
import io.peerlens.source.Part;
import io.peerlens.source.definition.SourcePauseStore;
import io.peerlens.source.definition.SourcePauseStore.Pause;
import io.peerlens.source.definition.SourceService;
import io.peerlens.source.state.SourceOverview.OwnState;
import io.peerlens.web.Paging;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class SourcesController implements SourcesApi {

  private final SourceService service;
  private final SourcePauseStore pauses;
  private final SourceOverview overview;
  private final SourceErrorQueries errors;
  private final InstantSource clock;
  private final DefinitionEndpoints<SourceEdit, io.peerlens.source.definition.Source, Source>
      endpoints;

  SourcesController(
      SourceService service,
      SourcePauseStore pauses,
      SourceOverview overview,
      SourceErrorQueries errors,
      InstantSource clock) {
    this.service = service;
    this.pauses = pauses;
    this.overview = overview;
    this.errors = errors;
    this.clock = clock;
    this.endpoints = new DefinitionEndpoints<>(service, this::answer);
  }

  @Override
  public ResponseEntity<SourceSummaryPage> listSources(
      @Nullable String q,
      @Nullable SourceKind kind,
      @Nullable SourceState state,
      Integer limit,
      @Nullable String cursor) {
    List<String> words = Paging.words(q);
    return ResponseEntity.ok(
        Paging.page(
                overview.all().stream()
                    .filter(one -> kind == null || one.getKind() == kind)
                    .filter(one -> state == null || one.getState() == state)
                    .filter(
                        one ->
                            Paging.holds(
                                words,
                                one.getName(),
                                one.getAddress(),
                                Objects.toString(one.getId(), "")))
                    .toList(),
                SourcesController::keys,
                "sources " + words + " " + kind + " " + state,
                limit,
                cursor)
            .as(SourceSummaryPage::new));
  }

  private static String[] keys(SourceSummary one) {
    return new String[] {
      Integer.toString(one.getKind().ordinal()),
      one.getName().toLowerCase(Locale.ROOT),
      one.getName() + " " + Objects.toString(one.getId(), "")
    };
  }

  @Override
  public ResponseEntity<SourceCounts> getSourceCounts() {
    return ResponseEntity.ok(overview.counts());
  }

  @Override
  public ResponseEntity<Source> createSource(SourceEdit wanted) {
    return endpoints.create(wanted);
  }

  @Override
  public ResponseEntity<Source> getSource(UUID id) {
    return endpoints.get(id);
  }

  @Override
  public ResponseEntity<Source> putSource(UUID id, SourceEdit wanted, @Nullable String ifMatch) {
    return endpoints.put(id, wanted, ifMatch);
  }

  @Override
  public ResponseEntity<Void> deleteSource(UUID id, @Nullable String ifMatch) {
    service.remove(id, ifMatch);
    return ResponseEntity.noContent().build();
  }

  @Override
  public ResponseEntity<SourceVersionPage> listSourceHistory(
      UUID id, Integer limit, @Nullable String cursor) {
    return endpoints.history(id, limit, cursor, SourceVersion::new, SourceVersionPage::new);
  }

  @Override
  public ResponseEntity<Source> restoreSource(UUID id, Long version, @Nullable String ifMatch) {
    return endpoints.restore(id, version, ifMatch);
  }

  @Override
  public ResponseEntity<Source> pauseSource(UUID id) {
    service.get(id);
    pauses.pause(id, clock.instant(), Caller.current().name());
    return endpoints.get(id);
  }

  @Override
  public ResponseEntity<Source> resumeSource(UUID id) {
    service.get(id);
    pauses.resume(id);
    return endpoints.get(id);
  }

  @Override
  public ResponseEntity<SourceErrorPage> listSourceErrors(
      @Nullable UUID source, Integer limit, @Nullable String cursor) {
    return ResponseEntity.ok(errors.page(source, limit, cursor).as(SourceErrorPage::new));
  }

  private Source answer(StoredRule<SourceEdit, io.peerlens.source.definition.Source> stored) {
    io.peerlens.source.definition.Source source = stored.rule();
    OwnState state = overview.of(stored);
    Pause pause = state.pause();
    Map<String, String> options = new HashMap<>(source.options());
    return new Source(
        stored.id(),
        stored.name(),
        CollectedSourceKind.fromValue(source.kind()),
        source.address().toString(),
        source.username(),
        new SecretRef().secret(source.password()),
        Objects.requireNonNullElseGet(stored.edit().getTrust(), SourceTrust::new),
        source.reads().stream().sorted().map(Part::label).map(SourcePart::fromValue).toList(),
        options,
        state.condition().state(),
        state.condition().reason(),
        state.node(),
        pause == null ? null : pause.at(),
        pause == null ? null : pause.by(),
        SourceOverview.rounds(state.parts()),
        stored.version(),
        stored.createdAt(),
        stored.createdBy(),
        stored.updatedAt(),
        requireNonNull(stored.updatedBy()));
  }
}
