package io.peerlens.dashboard;

import static java.util.Objects.requireNonNullElse;

import io.peerlens.api.DashboardFilesApi;
import io.peerlens.api.model.DashboardCheck;
import io.peerlens.api.model.DashboardFinding;
import io.peerlens.api.model.DashboardImportResult;
import io.peerlens.api.model.DashboardPack;
import io.peerlens.api.model.DashboardPackList;
import io.peerlens.api.model.DashboardPackMember;
import io.peerlens.api.model.DashboardVisibility;
import io.peerlens.api.model.InstallState;
import io.peerlens.api.model.OnConflict;
import io.peerlens.dashboard.DashboardPacks.Pack;
import io.peerlens.dashboard.OriginalStore.Original;
import io.peerlens.dashboard.file.Bundle;
import io.peerlens.dashboard.file.BundleReader;
import io.peerlens.dashboard.file.Dashboard;
import io.peerlens.dashboard.file.View;
import io.peerlens.dashboard.lint.Lint;
import io.peerlens.load.Heavy;
import io.peerlens.load.HeavyWork;
import io.peerlens.panel.ExampleRun;
import io.peerlens.security.Caller;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.Resource;
import org.springframework.http.ContentDisposition;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

@RestController
final class DashboardFilesController implements DashboardFilesApi {

  private final DashboardImporter importer;
  private final DashboardExporter exporter;
  private final DashboardPacks packs;
  private final DashboardService dashboards;
  private final ViewService views;
  private final OriginalStore originals;

  DashboardFilesController(
      DashboardImporter importer,
      DashboardExporter exporter,
      DashboardPacks packs,
      DashboardService dashboards,
      ViewService views,
      OriginalStore originals) {
    this.importer = importer;
    this.exporter = exporter;
    this.packs = packs;
    this.dashboards = dashboards;
    this.views = views;
    this.originals = originals;
  }

  @Heavy(HeavyWork.IMPORT)
  @Override
  public ResponseEntity<DashboardImportResult> importDashboards(
      Resource body,
      Boolean dryRun,
      OnConflict onConflict,
      @Nullable DashboardVisibility visibility,
      @Nullable List<UUID> only,
      @Nullable String choices,
      Boolean enable,
      @Nullable String fileName) {
    return ResponseEntity.ok(
        importer.read(
            requireNonNullElse(fileName, "file"),
            content(body),
            new ImportWishes(
                onConflict,
                visibility == DashboardVisibility.SHARED,
                only == null ? new HashSet<>() : new HashSet<>(only),
                choices(choices),
                enable),
            dryRun));
  }

  private static byte[] content(Resource body) {
    try {
      return body.getContentAsByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Map<String, String> choices(@Nullable String text) {
    Map<String, String> choices = new HashMap<>();
    if (text != null) {
      JsonNode read;
      try {
        read = Json.MAPPER.readTree(text);
      } catch (JacksonException e) {
        throw ApiException.invalidParameter("choices", "is no JSON");
      }
      if (!read.isObject() || !read.valueStream().allMatch(JsonNode::isString)) {
        throw ApiException.invalidParameter("choices", "is no JSON object of texts");
      }
      read.forEachEntry((key, choice) -> choices.put(key, choice.asString()));
    }
    return choices;
  }

  @Heavy(HeavyWork.IMPORT)
  @Override
  public ResponseEntity<DashboardCheck> validateDashboards(Resource body) {
    JsonNode root;
    try {
      root = Json.MAPPER.readTree(content(body));
    } catch (JacksonException e) {
      throw ApiException.of(ErrorCode.INVALID_BODY, "The file is no JSON: " + place(e) + ".")
          .hint("Look at that place for a missing quote, comma or bracket.");
    }
    BundleReader.Result<Bundle> result = BundleReader.bundle(root);
    Bundle bundle = result.value();
    return ResponseEntity.ok(
        new DashboardCheck(
            bundle != null,
            root.path("dashboards").size(),
            root.path("views").size(),
            Mistakes.errors(result.mistakes()),
            bundle == null
                ? List.of()
                : Stream.concat(Lint.of(bundle).stream(), ExampleRun.of(bundle).stream())
                    .map(
                        one -> new DashboardFinding(one.code(), one.path(), one.text(), one.hint()))
                    .toList()));
  }

  private static String place(JacksonException e) {
    return e.getLocation() == null
        ? "it ends too early"
        : "line %d, column %d"
            .formatted(e.getLocation().getLineNr(), e.getLocation().getColumnNr());
  }

  @Heavy(HeavyWork.EXPORT)
  @Override
  public ResponseEntity<Object> exportDashboards(
      @Nullable List<UUID> id, @Nullable List<UUID> view) {
    return ResponseEntity.ok()
        .contentType(MediaType.APPLICATION_JSON)
        .header(HttpHeaders.CONTENT_DISPOSITION, "attachment; filename=\"dashboards.json\"")
        .body(
            exporter.write(requireNonNullElse(id, List.of()), requireNonNullElse(view, List.of())));
  }

  @Override
  public ResponseEntity<Resource> getDashboardOriginal(UUID id) {
    dashboards.get(id);
    Caller caller = Caller.current();
    Original original =
        originals
            .find(id)
            .orElseThrow(
                () ->
                    ApiException.of(
                        ErrorCode.NOT_FOUND, "The dashboard was not imported from a file."));
    // The file may hold more than the dashboard that was shared.
    if (!Owners.isAdmin(caller) && !original.importedBy().equals(caller.name())) {
      throw ApiException.of(
              ErrorCode.FORBIDDEN, "The file is given to whoever imported it, and to admins.")
          .hint("Ask " + original.importedBy() + ".");
    }
    return ResponseEntity.ok()
        .contentType(MediaType.APPLICATION_OCTET_STREAM)
        .header(
            HttpHeaders.CONTENT_DISPOSITION,
            ContentDisposition.attachment()
                .filename(original.fileName(), StandardCharsets.UTF_8)
                .build()
                .toString())
        .body(new ByteArrayResource(original.content()));
  }

  // ---------------------------------------------------------------------------------------- packs

  @Override
  public ResponseEntity<DashboardPackList> listDashboardPacks() {
    return ResponseEntity.ok(new DashboardPackList(packs.all().stream().map(this::pack).toList()));
  }

  private DashboardPack pack(Pack pack) {
    List<DashboardPackMember> ofDashboards =
        pack.file().dashboards().stream()
            .map(
                one -> {
                  Dashboard read = Objects.requireNonNull(one.read());
                  return new DashboardPackMember(
                      dashboards.idOf(pack.name(), one.name()),
                      one.name(),
                      read.description().isEmpty() ? null : read.description(),
                      read.kinds().stream().map(ObjectKind::toString).toList(),
                      dashboards.installed(pack.name(), one));
                })
            .toList();
    List<DashboardPackMember> ofViews =
        pack.file().views().stream()
            .map(
                one -> {
                  View read = Objects.requireNonNull(one.read());
                  return new DashboardPackMember(
                      views.idOf(pack.name(), one.name()),
                      one.name(),
                      read.description().isEmpty() ? null : read.description(),
                      read.question().kinds().stream().map(ObjectKind::toString).toList(),
                      views.installed(pack.name(), one));
                })
            .toList();
    return new DashboardPack(
        pack.name(),
        pack.summary(),
        (int)
            ofDashboards.stream()
                .filter(one -> one.getInstalled() != InstallState.NOT_INSTALLED)
                .count(),
        ofDashboards,
        ofViews);
  }

  @Heavy(HeavyWork.IMPORT)
  @Override
  public ResponseEntity<DashboardImportResult> installDashboardPack(String name, Boolean dryRun) {
    return ResponseEntity.ok(importer.install(packs.named(name), dryRun));
  }
}
