package io.peerlens.notify.definition;

import io.peerlens.alerttemplates.LookupTable;
import io.peerlens.api.LookupsApi;
import io.peerlens.api.model.LookupTableList;
import io.peerlens.api.model.LookupTablePreview;
import io.peerlens.api.model.LookupTableVersion;
import io.peerlens.api.model.LookupTableVersionPage;
import io.peerlens.definition.RuleVersion;
import io.peerlens.definition.StoredRule;
import io.peerlens.load.Heavy;
import io.peerlens.load.HeavyWork;
import io.peerlens.web.ApiException;
import io.peerlens.web.Versions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.Resource;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class LookupsController implements LookupsApi {

  private static final int SHOWN = 20;

  private final LookupStore store;
  private final LookupService service;

  LookupsController(LookupStore store, LookupService service) {
    this.store = store;
    this.service = service;
  }

  @Override
  public ResponseEntity<LookupTableList> listLookupTables() {
    return ResponseEntity.ok(
        new LookupTableList(
            store.byId().values().stream()
                .sorted(Comparator.comparing(StoredRule::name))
                .map(stored -> answer(stored, 0))
                .toList()));
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.LookupTable> getLookupTable(String name) {
    return one(name, HttpStatus.OK);
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.LookupTable> putLookupTable(
      String name, Resource body, @Nullable String ifMatch) {
    boolean isNew = service.put(name, text(body), ifMatch);
    return one(name, isNew ? HttpStatus.CREATED : HttpStatus.OK);
  }

  private ResponseEntity<io.peerlens.api.model.LookupTable> one(String name, HttpStatus status) {
    StoredRule<LookupFile, NamedTable> stored = service.get(name);
    ResponseEntity.BodyBuilder answer = ResponseEntity.status(status);
    if (status == HttpStatus.CREATED) {
      answer.location(URI.create("/api/v1/lookups/" + name));
    }
    return answer.eTag(Versions.tag(stored.version())).body(answer(stored, SHOWN));
  }

  @Override
  public ResponseEntity<Void> deleteLookupTable(String name, @Nullable String ifMatch) {
    service.delete(name, ifMatch);
    return ResponseEntity.noContent().build();
  }

  @Override
  public ResponseEntity<LookupTableVersionPage> listLookupTableHistory(
      String name, Integer limit, @Nullable String cursor) {
    return ResponseEntity.ok(
        service
            .history(LookupFile.id(name), limit, cursor)
            .map(LookupsController::version)
            .as(LookupTableVersionPage::new));
  }

  private static LookupTableVersion version(RuleVersion<LookupFile, NamedTable> version) {
    LookupTable table = version.stored().rule().table();
    return new LookupTableVersion(
        version.stored().version(),
        version.action().inApi(),
        version.at(),
        version.by(),
        table.columns(),
        table.rows().size(),
        version.stored().edit().bytes(),
        version.changes());
  }

  @Override
  public ResponseEntity<io.peerlens.api.model.LookupTable> restoreLookupTable(
      String name, Long version, @Nullable String ifMatch) {
    service.restore(LookupFile.id(name), version, ifMatch);
    return one(name, HttpStatus.OK);
  }

  @Override
  public ResponseEntity<Resource> getLookupTableContent(String name) {
    StoredRule<LookupFile, NamedTable> stored = service.get(name);
    return ResponseEntity.ok()
        .eTag(Versions.tag(stored.version()))
        .contentType(new MediaType("text", "csv", StandardCharsets.UTF_8))
        .body(new ByteArrayResource(stored.edit().csv().getBytes(StandardCharsets.UTF_8)));
  }

  @Heavy(HeavyWork.PREVIEW)
  @Override
  public ResponseEntity<LookupTablePreview> previewLookupTable(Resource body) {
    LookupFile file = new LookupFile("preview", text(body));
    LookupTable table = LookupService.check("", file);
    return ResponseEntity.ok(
        new LookupTablePreview(
            table.columns(), table.rows().size(), file.bytes(), firstRows(table, SHOWN)));
  }

  private io.peerlens.api.model.LookupTable answer(
      StoredRule<LookupFile, NamedTable> stored, int shown) {
    LookupTable table = stored.rule().table();
    return new io.peerlens.api.model.LookupTable(
        stored.name(),
        table.columns(),
        table.rows().size(),
        stored.edit().bytes(),
        firstRows(table, shown),
        service.usersOf(stored.name()).stream().sorted().toList(),
        stored.version(),
        stored.createdAt(),
        stored.createdBy(),
        stored.updatedAt(),
        stored.updatedBy());
  }

  private static List<List<String>> firstRows(LookupTable table, int most) {
    return table.rows().stream().limit(most).map(LookupTable.Row::values).toList();
  }

  /** Bytes that are no UTF-8 would look up nothing, and nobody would know why. */
  private static String text(Resource body) {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(body.getContentAsByteArray()))
          .toString();
    } catch (CharacterCodingException e) {
      throw ApiException.invalidField("body", "is not UTF-8")
          .hint("Save the file as CSV UTF-8, or convert it, for instance with iconv.");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
