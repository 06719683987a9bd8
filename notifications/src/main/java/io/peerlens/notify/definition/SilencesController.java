package io.peerlens.notify.definition;

import static java.util.Objects.requireNonNullElse;

import io.peerlens.api.SilencesApi;
import io.peerlens.api.model.SilenceEdit;
import io.peerlens.api.model.SilencePage;
import io.peerlens.api.model.SilenceState;
import io.peerlens.api.model.SilenceVersion;
import io.peerlens.api.model.SilenceVersionPage;
import io.peerlens.definition.DefinitionEndpoints;
import io.peerlens.definition.StoredRule;
import io.peerlens.web.Page;
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

  /** By state, the newest begin first. */
  private static final Comparator<String[]> ORDER =
      Comparator.<String[], String>comparing(keys -> keys[0])
          .thenComparing(keys -> keys[1], Comparator.reverseOrder())
          .thenComparing(keys -> keys[2]);

  private final SilenceStore store;
  private final SilenceService service;
  private final InstantSource clock;
  private final DefinitionEndpoints<SilenceEdit, Silence, io.peerlens.api.model.Silence> endpoints;

  SilencesController(SilenceStore store, SilenceService service, InstantSource clock) {
    this.store = store;
    this.service = service;
    this.clock = clock;
    this.endpoints = new DefinitionEndpoints<>(service, one -> answer(one, clock.instant()));
  }

  @Override
  public ResponseEntity<SilencePage> listSilences(
      @Nullable List<SilenceState> state, Integer limit, @Nullable String cursor) {
    Instant now = clock.instant();
    List<SilenceState> states = requireNonNullElse(state, List.of());
    Page<StoredRule<SilenceEdit, Silence>> page =
        Page.of(
            store.byId().values().stream()
                .filter(one -> states.isEmpty() || states.contains(state(one.rule(), now)))
                .toList(),
            one -> keys(one, now),
            3,
            ORDER,
            "silences " + states,
            limit,
            cursor);
    return ResponseEntity.ok(page.map(one -> answer(one, now)).as(SilencePage::new));
  }

  private static String[] keys(StoredRule<SilenceEdit, Silence> one, Instant now) {
    return new String[] {
      String.valueOf(state(one.rule(), now).ordinal()),
      "%015d".formatted(one.rule().from().toEpochMilli()),
      one.id().toString()
    };
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.Silence> createSilence(SilenceEdit wanted) {
    return endpoints.create(wanted);
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.Silence> getSilence(UUID id) {
    return endpoints.get(id);
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.Silence> putSilence(
      UUID id, SilenceEdit wanted, @Nullable String ifMatch) {
    return endpoints.put(id, wanted, ifMatch);
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.Silence> expireSilence(UUID id) {
    service.expire(id);
    return getSilence(id);
  }

  @Override
  public ResponseEntity<SilenceVersionPage> listSilenceHistory(
      UUID id, Integer limit, @Nullable String cursor) {
    return endpoints.history(id, limit, cursor, SilenceVersion::new, SilenceVersionPage::new);
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.Silence> restoreSilence(
      UUID id, Long version, @Nullable String ifMatch) {
    return endpoints.restore(id, version, ifMatch);
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
