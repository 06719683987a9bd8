package io.peerlens.dashboard;

import io.peerlens.api.PlaylistsApi;
import io.peerlens.api.model.Playlist;
import io.peerlens.api.model.PlaylistEdit;
import io.peerlens.api.model.PlaylistPage;
import io.peerlens.api.model.PlaylistScreens;
import io.peerlens.api.model.PlaylistVersion;
import io.peerlens.api.model.PlaylistVersionPage;
import io.peerlens.definition.DefinitionEndpoints;
import io.peerlens.definition.StoredRule;
import io.peerlens.load.Heavy;
import io.peerlens.load.HeavyWork;
import io.peerlens.web.Page;
import io.peerlens.web.Paging;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class PlaylistsController implements PlaylistsApi {

  private final PlaylistService service;
  private final WallScreens screens;
  private final DefinitionEndpoints<PlaylistEdit, WallPlaylist, Playlist> endpoints;

  PlaylistsController(PlaylistService service, WallScreens screens) {
    this.service = service;
    this.screens = screens;
    this.endpoints = new DefinitionEndpoints<>(service, this::whole);
  }

  @Override
  public ResponseEntity<PlaylistPage> listPlaylists(
      @Nullable String q, @Nullable String name, Integer limit, @Nullable String cursor) {
    List<String> words = Paging.words(q);
    List<StoredRule<PlaylistEdit, WallPlaylist>> found =
        service.all().stream()
            .filter(one -> name == null || one.name().equalsIgnoreCase(name))
            .filter(one -> Paging.holds(words, one.name(), one.edit().getDescription()))
            .toList();
    return ResponseEntity.ok(
        Page.of(
                found,
                one -> new String[] {one.name().toLowerCase(Locale.ROOT), one.id().toString()},
                2,
                Comparator.<String[], String>comparing(keys -> keys[0])
                    .thenComparing(keys -> keys[1]),
                "playlists %s %s".formatted(words, name),
                limit,
                cursor)
            .map(this::whole)
            .as(PlaylistPage::new));
  }

  @Override
  public ResponseEntity<Playlist> createPlaylist(PlaylistEdit edit) {
    return endpoints.create(edit);
  }

  @Override
  public ResponseEntity<Playlist> getPlaylist(UUID id) {
    return endpoints.get(id);
  }

  @Override
  public ResponseEntity<Playlist> putPlaylist(
      UUID id, PlaylistEdit edit, @Nullable String ifMatch) {
    return endpoints.put(id, edit, ifMatch);
  }

  @Override
  public ResponseEntity<Void> deletePlaylist(UUID id, @Nullable String ifMatch) {
    return endpoints.delete(id, ifMatch);
  }

  /** Defaults of variables are found by asking as panels do. */
  @Heavy(HeavyWork.SERIES)
  @Override
  public ResponseEntity<PlaylistScreens> getPlaylistScreens(UUID id) {
    return ResponseEntity.ok(screens.of(service.get(id)));
  }

  @Override
  public ResponseEntity<PlaylistVersionPage> listPlaylistHistory(
      UUID id, Integer limit, @Nullable String cursor) {
    return endpoints.history(id, limit, cursor, PlaylistVersion::new, PlaylistVersionPage::new);
  }

  @Override
  public ResponseEntity<Playlist> restorePlaylist(UUID id, Long version, @Nullable String ifMatch) {
    return endpoints.restore(id, version, ifMatch);
  }

  private Playlist whole(StoredRule<PlaylistEdit, WallPlaylist> stored) {
    PlaylistEdit edit = stored.edit();
    return new Playlist(
        stored.id(),
        stored.name(),
        edit.getDescription(),
        edit.getItems(),
        edit.getInterruptAt(),
        edit.getDim(),
        service.issues(stored.rule()),
        stored.version(),
        stored.createdAt(),
        stored.createdBy(),
        stored.updatedAt(),
        stored.updatedBy());
  }
}
