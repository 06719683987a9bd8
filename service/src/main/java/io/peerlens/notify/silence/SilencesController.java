package io.peerlens.notify.silence;

import static java.util.Objects.requireNonNullElse;

import io.peerlens.api.SilencesApi;
import io.peerlens.api.model.SilenceEdit;
import io.peerlens.api.model.SilencePage;
import io.peerlens.api.model.SilenceState;
import io.peerlens.api.model.SilenceVersion;
import io.peerlens.api.model.SilenceVersionPage;
import io.peerlens.rule.DefinitionService.History;
import io.peerlens.rule.StoredRule;
import io.peerlens.rule.Versions;
import io.peerlens.web.Cursor;
import java.net.URI;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class SilencesController implements SilencesApi {

  private final SilenceStore store;
  private final SilenceService service;
  private final InstantSource clock;

  SilencesController(SilenceStore store, SilenceService service, InstantSource clock) {
    this.store = store;
    this.service = service;
    this.clock = clock;
  }

  @Override
  public ResponseEntity<SilencePage> listSilences(
      @Nullable List<SilenceState> state, Integer limit, @Nullable String cursor) {
    Instant now = clock.instant();
    List<SilenceState> states = requireNonNullElse(state, List.of());
    List<StoredRule<SilenceEdit, Silence>> matching =
        store.byId().values().stream()
            .filter(one -> states.isEmpty() || states.contains(state(one.rule(), now)))
            .sorted(
                Comparator.comparing(
                        (StoredRule<SilenceEdit, Silence> one) -> state(one.rule(), now))
                    .thenComparing(one -> one.rule().from(), Comparator.reverseOrder())
                    .thenComparing(StoredRule::id))
            .toList();
    String scope = "silences " + states;
    int start = 0;
    if (cursor != null) {
      UUID last = UUID.fromString(Cursor.keys(cursor, scope, 1).getFirst());
      start = 1 + (int) matching.stream().takeWhile(one -> !one.id().equals(last)).count();
    }
    List<StoredRule<SilenceEdit, Silence>> page =
        matching.stream().skip(start).limit(limit).toList();
    return ResponseEntity.ok(
        new SilencePage(
            page.stream().map(one -> answer(one, now)).toList(),
            start + page.size() < matching.size()
                ? Cursor.after(scope, page.getLast().id().toString())
                : null,
            (long) matching.size()));
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.Silence> createSilence(SilenceEdit wanted) {
    UUID id = service.create(wanted);
    StoredRule<SilenceEdit, Silence> stored = service.get(id);
    return ResponseEntity.created(URI.create("/api/v1/silences/" + id))
        .eTag(Versions.tag(stored.version()))
        .body(answer(stored, clock.instant()));
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.Silence> getSilence(UUID id) {
    StoredRule<SilenceEdit, Silence> stored = service.get(id);
    return ResponseEntity.ok()
        .eTag(Versions.tag(stored.version()))
        .body(answer(stored, clock.instant()));
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.Silence> putSilence(
      UUID id, SilenceEdit wanted, @Nullable String ifMatch) {
    service.change(id, wanted, ifMatch);
    return getSilence(id);
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.Silence> expireSilence(UUID id) {
    service.expire(id);
    return getSilence(id);
  }

  @Override
  public ResponseEntity<SilenceVersionPage> listSilenceHistory(
      UUID id, Integer limit, @Nullable String cursor) {
    History<SilenceEdit, Silence> history = service.history(id, limit, cursor);
    return ResponseEntity.ok(
        new SilenceVersionPage(
            history.items().stream()
                .map(
                    version ->
                        new SilenceVersion(
                            version.stored().version(),
                            version.action(),
                            version.at(),
                            version.by(),
                            version.stored().edit(),
                            version.changes()))
                .toList(),
            history.next(),
            history.total()));
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.Silence> restoreSilence(
      UUID id, Long version, @Nullable String ifMatch) {
    service.restore(id, version, ifMatch);
    return getSilence(id);
  }

  private static SilenceState state(Silence silence, Instant now) {
    return silence.isActive(now)
        ? SilenceState.ACTIVE
        : now.isBefore(silence.from()) ? SilenceState.PENDING : SilenceState.EXPIRED;
  }

  private static io.peerlens.api.model.Silence answer(
      StoredRule<SilenceEdit, Silence> stored, Instant now) {
    SilenceEdit edit = stored.edit();
    Silence silence = stored.rule();
    return new io.peerlens.api.model.Silence(
        stored.id(),
        silence.comment(),
        stored.createdBy(),
        requireNonNullElse(edit.getAlerts(), List.of()),
        requireNonNullElse(edit.getMatchers(), List.of()),
        requireNonNullElse(edit.getScope(), new io.peerlens.api.model.Scope()),
        edit.getWhen(),
        silence.from(),
        silence.to(),
        state(silence, now),
        stored.version(),
        stored.createdAt(),
        stored.updatedAt(),
        stored.updatedBy());
  }
}
