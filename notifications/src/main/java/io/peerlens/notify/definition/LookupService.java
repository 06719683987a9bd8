package io.peerlens.notify.definition;

import io.peerlens.alerttemplates.LookupTable;
import io.peerlens.alerttemplates.TemplateException;
import io.peerlens.api.model.FieldChange;
import io.peerlens.definition.DefinitionKind;
import io.peerlens.definition.DefinitionService;
import io.peerlens.definition.StoredRule;
import io.peerlens.scope.ScopeReader;
import io.peerlens.web.ApiException;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Lookup tables, changed as people ask for it. */
final class LookupService extends DefinitionService<LookupFile, NamedTable> {

  private final LookupStore store;
  private final NotificationTemplateStore templates;

  LookupService(
      LookupStore store,
      NotificationVersionStore number,
      NotificationTemplateStore templates,
      InstantSource clock,
      NotificationProperties properties) {
    super(
        store,
        number,
        clock,
        new DefinitionKind(
            "lookup table",
            "/api/v1/lookups",
            properties.maxLookups(),
            "peerlens.notify.definitions.max-lookups"),
        () ->
            List.of(
                id ->
                    store.find(id).map(NamedTable::name).map(templates::using).orElse(List.of())));
    this.store = store;
    this.templates = templates;
  }

  /** Ids of the stored templates that look values up in a table. */
  List<String> usersOf(String name) {
    return templates.using(name);
  }

  @Override
  protected List<FieldChange> changes(
      StoredRule<LookupFile, NamedTable> before, StoredRule<LookupFile, NamedTable> after) {
    return LookupChanges.between(before.edit(), after.edit());
  }

  /** One that is stored, or 404. */
  StoredRule<LookupFile, NamedTable> get(String name) {
    if (store.find(LookupFile.id(name)).isEmpty()) {
      throw notFound(name);
    }
    return get(LookupFile.id(name));
  }

  private static ApiException notFound(String name) {
    return ApiException.notFound("lookup table", name)
        .hint("GET /api/v1/lookups lists those that are stored.");
  }

  /**
   * Stores a table.
   *
   * @return whether it is new
   */
  boolean put(String name, String csv, @Nullable String ifMatch) {
    LookupFile file = new LookupFile(name, csv);
    check("", file);
    UUID id = LookupFile.id(name);
    boolean isNew = store.find(id).isEmpty() && ifMatch == null;
    if (isNew) {
      add(id, file);
    } else {
      get(name);
      replace(id, file, ifMatch);
    }
    return isNew;
  }

  void delete(String name, @Nullable String ifMatch) {
    get(name);
    delete(LookupFile.id(name), ifMatch);
  }

  /**
   * Refuses a file that is none.
   *
   * @param path of the table in the body, with a point at its end, or empty
   */
  static LookupTable check(String path, LookupFile file) {
    String field = path.isEmpty() ? "body" : path + "csv";
    ScopeReader.storable(field, file.csv());
    if (file.bytes() > LookupFile.MOST_CHARACTERS) {
      throw ApiException.invalidField(
          field, "is %,d bytes long, %,d are allowed".formatted(file.bytes(), 1 << 20));
    }
    try {
      return LookupTable.parse(file.csv());
    } catch (TemplateException e) {
      throw ApiException.invalidField(field, e.mistakes().getFirst().message())
          .hint("The first line names the columns; put values with commas or quotes into quotes.");
    }
  }
}
