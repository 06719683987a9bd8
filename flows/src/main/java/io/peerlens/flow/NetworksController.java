package io.peerlens.flow;

import io.peerlens.api.NetworksApi;
import io.peerlens.api.model.FieldChange;
import io.peerlens.api.model.NamedNetwork;
import io.peerlens.api.model.NetworkDefinition;
import io.peerlens.api.model.NetworkMistake;
import io.peerlens.api.model.NetworkPreview;
import io.peerlens.api.model.NetworkVersion;
import io.peerlens.api.model.NetworkVersionPage;
import io.peerlens.definition.TextChanges;
import io.peerlens.flow.network.Cidr;
import io.peerlens.flow.network.Network;
import io.peerlens.flow.network.NetworksFile;
import io.peerlens.load.Heavy;
import io.peerlens.load.HeavyWork;
import io.peerlens.security.Caller;
import io.peerlens.web.ApiException;
import io.peerlens.web.Page;
import io.peerlens.web.Versions;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.Resource;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class NetworksController implements NetworksApi {

  private static final String HISTORY = "networks history";
  private static final MediaType YAML =
      new MediaType("application", "yaml", StandardCharsets.UTF_8);
  private static final MediaType CSV = new MediaType("text", "csv", StandardCharsets.UTF_8);

  private final NetworkStore store;
  private final NetworkService service;
  private final HttpServletRequest request; // a proxy for the request of this thread

  NetworksController(NetworkStore store, NetworkService service, HttpServletRequest request) {
    this.store = store;
    this.service = service;
    this.request = request;
  }

  @Override
  public ResponseEntity<NetworkDefinition> getNetworks() {
    NetworkStore.Version newest = store.newest();
    NetworkDefinition answer =
        new NetworkDefinition(
            newest.number(),
            NetworkDefinition.FormatEnum.valueOf(newest.format().name()),
            newest.networks().stream().map(NetworksController::answer).toList(),
            service.internalRanges().stream().map(Cidr::toString).toList());
    Instant changedAt = newest.changedAt();
    if (changedAt != null) {
      answer.changedAt(changedAt).changedBy(newest.changedBy());
    }
    return ResponseEntity.ok().eTag(Versions.tag(newest.number())).body(answer);
  }

  @Override
  public ResponseEntity<NetworkDefinition> putNetworks(Resource body, @Nullable String ifMatch) {
    service.put(text(body), format(), ifMatch, Caller.current().name());
    return getNetworks();
  }

  @Heavy(HeavyWork.PREVIEW)
  @Override
  public ResponseEntity<NetworkPreview> previewNetworks(Resource body) {
    NetworkService.Preview preview = service.preview(text(body), format());
    return ResponseEntity.ok(
        new NetworkPreview(
            preview.problems().stream()
                .map(problem -> new NetworkMistake(problem.line(), problem.message()))
                .toList(),
            preview.networks().stream().map(NetworksController::answer).toList(),
            preview.difference().renamed(),
            preview.difference().internalBefore(),
            preview.difference().internalAfter()));
  }

  @Override
  public ResponseEntity<Resource> getNetworksContent() {
    NetworkStore.Version newest = store.newest();
    byte[] text = newest.number() == 0 ? example() : newest.text().getBytes(StandardCharsets.UTF_8);
    return ResponseEntity.ok()
        .eTag(Versions.tag(newest.number()))
        .contentType(newest.format() == NetworksFile.Format.CSV ? CSV : YAML)
        .body(new ByteArrayResource(text));
  }

  @Override
  public ResponseEntity<NetworkVersionPage> listNetworksHistory(
      Integer limit, @Nullable String cursor) {
    return ResponseEntity.ok(
        Page.versions(
                store.history(Page.before(HISTORY, cursor), limit + 1),
                NetworksController::answer,
                NetworkStore.Version::number,
                HISTORY,
                limit,
                store.count())
            .as(NetworkVersionPage::new));
  }

  @Override
  public ResponseEntity<NetworkDefinition> restoreNetworks(Long version, @Nullable String ifMatch) {
    service.restore(version, ifMatch, Caller.current().name());
    return getNetworks();
  }

  // -----------------------------------------------------------------------------------------------

  private static NetworkVersion answer(
      NetworkStore.Version version, NetworkStore.@Nullable Version before) {
    return new NetworkVersion(
        version.number(),
        Objects.requireNonNull(version.changedAt()),
        version.changedBy(),
        NetworkVersion.FormatEnum.valueOf(version.format().name()),
        version.size(),
        (long) version.text().getBytes(StandardCharsets.UTF_8).length,
        before == null ? List.of() : changes(before, version));
  }

  private static List<FieldChange> changes(NetworkStore.Version was, NetworkStore.Version is) {
    List<FieldChange> changes = new ArrayList<>();
    if (was.format() != is.format()) {
      changes.add(
          new FieldChange(
              "format",
              NetworkVersion.FormatEnum.valueOf(was.format().name()).getValue(),
              NetworkVersion.FormatEnum.valueOf(is.format().name()).getValue(),
              List.of()));
    }
    if (was.size() != is.size()) {
      changes.add(
          new FieldChange(
              "networks", String.valueOf(was.size()), String.valueOf(is.size()), List.of()));
    }
    if (!was.text().equals(is.text())) {
      changes.add(new FieldChange("text", null, null, TextChanges.between(was.text(), is.text())));
    }
    return changes;
  }

  private static NamedNetwork answer(Network network) {
    return new NamedNetwork(
        network.name(),
        network.cidrs().stream().map(Cidr::toString).toList(),
        network.internal(),
        network.vlan(),
        network.site(),
        network.description());
  }

  private NetworksFile.Format format() {
    MediaType type = MediaType.parseMediaType(request.getContentType());
    return type.isCompatibleWith(CSV) ? NetworksFile.Format.CSV : NetworksFile.Format.YAML;
  }

  private static byte[] example() {
    try (InputStream in = NetworksController.class.getResourceAsStream("networks-example.yaml")) {
      return Objects.requireNonNull(in, "the example is missing").readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Bytes that are no UTF-8 would give names that nobody meant. */
  private static String text(Resource body) {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(body.getContentAsByteArray()))
          .toString();
    } catch (CharacterCodingException e) {
      throw ApiException.invalidField("body", "is not UTF-8")
          .hint("Save the file as UTF-8, or convert it, for instance with iconv.");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
