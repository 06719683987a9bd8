package io.peerlens.notify.definition;

import io.peerlens.api.model.SilenceEdit;
import io.peerlens.api.model.SilencePreviewRequest;
import java.util.UUID;

/** Silences to be tried, not stored. */
public final class SilenceDrafts {

  private static final String EVER = "9999-01-01T00:00:00Z";

  private SilenceDrafts() {}

  /**
   * A silence that says which alerts it is about, and nothing of time.
   *
   * @throws io.peerlens.web.ApiException if it makes no sense
   */
  public static Silence draft(SilencePreviewRequest wanted) {
    SilenceEdit edit =
        new SilenceEdit("Preview", EVER)
            .alerts(wanted.getAlerts())
            .matchers(wanted.getMatchers())
            .scope(wanted.getScope())
            .when(wanted.getWhen())
            .from("1970-01-01T00:00:00Z");
    return SilenceReader.read(new UUID(0, 0), "", edit);
  }
}
