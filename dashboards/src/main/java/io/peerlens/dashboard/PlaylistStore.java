package io.peerlens.dashboard;

import io.peerlens.api.model.PlaylistEdit;
import io.peerlens.definition.DefinitionStore;
import io.peerlens.definition.StoredForms;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Stored playlists. Thread-safe. */
public final class PlaylistStore extends DefinitionStore<PlaylistEdit, WallPlaylist> {

  PlaylistStore(JdbcClient jdbc, DashboardNumberStore number, int historyKept) {
    super(jdbc, number, new OrderedRows<>(StoredForms.PLAYLIST), historyKept);
  }

  @Override
  protected WallPlaylist read(UUID id, long version, PlaylistEdit edit) {
    return new WallPlaylist(id, edit);
  }

  @Override
  protected String name(WallPlaylist playlist) {
    return playlist.name();
  }

  /** Nothing evaluates them. */
  @Override
  protected boolean isEnabled(WallPlaylist playlist) {
    return false;
  }
}
