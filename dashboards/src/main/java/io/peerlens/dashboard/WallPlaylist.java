package io.peerlens.dashboard;

import io.peerlens.api.model.PlaylistEdit;
import java.util.UUID;

/** A stored playlist: dashboards that walls show in turn. */
public record WallPlaylist(UUID id, PlaylistEdit edit) {

  String name() {
    return edit.getName();
  }
}
