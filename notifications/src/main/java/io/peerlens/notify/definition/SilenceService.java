package io.peerlens.notify.definition;

import static java.util.Objects.requireNonNullElseGet;

import io.peerlens.api.model.SilenceEdit;
import io.peerlens.definition.DefinitionKind;
import io.peerlens.definition.DefinitionService;
import io.peerlens.definition.Definitions;
import io.peerlens.definition.StoredRule;
import io.peerlens.web.ApiException;
import io.peerlens.web.Versions;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;

/** Silences, changed as people ask for it. */
final class SilenceService extends DefinitionService<SilenceEdit, Silence> {

  private final InstantSource clock;

  SilenceService(
      SilenceStore store,
      NotificationVersionStore number,
      InstantSource clock,
      NotificationProperties properties) {
    super(
        store,
        number,
        clock,
        new DefinitionKind(
            "silence",
            "/api/v1/silences",
            properties.maxSilences(),
            "peerlens.notify.definitions.max-silences"),
        List::of);
    this.clock = clock;
  }

  @Override
  protected SilenceEdit prepared(UUID id, SilenceEdit wanted, boolean isNew) {
    SilenceEdit edit = normal("", wanted);
    if (isNew && !Instant.parse(edit.getTo()).isAfter(clock.instant())) {
      throw ApiException.invalidField("to", edit.getTo() + " is in the past")
          .hint("Give a moment to come.");
    }
    return edit;
  }

  /** Ends it now, if it is not over. */
  void expire(UUID id) {
    StoredRule<SilenceEdit, Silence> stored = get(id);
    Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    Silence silence = stored.rule();
    if (!now.isBefore(silence.to())) {
      return;
    }
    Instant from = silence.from().isBefore(now) ? silence.from() : now;
    SilenceEdit edit = Definitions.of(Definitions.tree(stored.edit()), SilenceEdit.class);
    edit.from(from.toString()).to(now.toString());
    replace(id, edit, Versions.tag(stored.version()));
  }

  /**
   * A definition with moments in one spelling, or refused.
   *
   * @param path of the silence in the body, with a point at its end, or empty
   */
  SilenceEdit normal(String path, SilenceEdit wanted) {
    SilenceEdit edit = Definitions.of(Definitions.tree(wanted), SilenceEdit.class);
    edit.setFrom(
        requireNonNullElseGet(
            wanted.getFrom(), () -> clock.instant().truncatedTo(ChronoUnit.MILLIS).toString()));
    Silence silence = SilenceReader.read(new UUID(0, 0), path, edit);
    if (!silence.to().isAfter(silence.from())) {
      throw ApiException.invalidField(path + "to", "is not after from");
    }
    return edit.from(silence.from().toString()).to(silence.to().toString());
  }
}
