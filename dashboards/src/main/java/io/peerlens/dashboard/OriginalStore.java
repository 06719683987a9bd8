package io.peerlens.dashboard;

import static io.peerlens.database.Times.utc;

import io.peerlens.definition.DefinitionStore.Replaced;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Store of the files that dashboards and views were imported from. A file is kept while something
 * of it is stored that was not imported anew from another one. Thread-safe.
 */
final class OriginalStore {

  private static final String PUT =
      """
      insert into dashboard_original (id, file_name, size, content, imported_at, imported_by)
      values (:id, :name, :size, :content, :at, :by)
      """;

  private static final String LINK =
      """
      insert into dashboard_original_item (item_id, original_id) select item, :original from unnest(:items::uuid[]) item
      on conflict (item_id) do update set original_id = excluded.original_id
      """;

  private static final String UNLINK =
      "delete from dashboard_original_item where item_id = any (:items)";

  private static final String FORGET =
      """
      delete from dashboard_original o
      where not exists (select from dashboard_original_item i where i.original_id = o.id)
      """;

  private static final String FIND =
      """
      select o.file_name, o.size, o.content, o.imported_by
      from dashboard_original_item i join dashboard_original o on o.id = i.original_id
      where i.item_id = :item
      """;

  private final JdbcClient jdbc;

  OriginalStore(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** A file as it came. */
  record Original(String fileName, byte[] content, String importedBy) {}

  /** Keeps a file for what was imported from it; within the write. */
  void put(String fileName, byte[] content, Collection<UUID> items, Instant at, String by) {
    UUID id = UUID.randomUUID();
    jdbc.sql(PUT)
        .param("id", id)
        .param("name", fileName)
        .param("size", (long) content.length)
        .param("content", packed(content))
        .param("at", utc(at))
        .param("by", by)
        .update();
    jdbc.sql(LINK).param("original", id).param("items", items.toArray(UUID[]::new)).update();
    jdbc.sql(FORGET).update();
  }

  /** Forgets the files of what was deleted, unless other things are of the same file. */
  <R> void forget(List<Replaced<R>> changed) {
    UUID[] gone =
        changed.stream().filter(one -> one.now() == null).map(Replaced::id).toArray(UUID[]::new);
    if (gone.length > 0 && jdbc.sql(UNLINK).param("items", gone).update() > 0) {
      jdbc.sql(FORGET).update();
    }
  }

  /** The file that a dashboard or view was imported from. */
  Optional<Original> find(UUID item) {
    return jdbc.sql(FIND)
        .param("item", item)
        .query(
            (row, number) ->
                new Original(
                    row.getString("file_name"),
                    unpacked(row.getBytes("content")),
                    row.getString("imported_by")))
        .optional();
  }

  private static byte[] packed(byte[] content) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream zip = new GZIPOutputStream(bytes)) {
      zip.write(content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static byte[] unpacked(byte[] content) {
    try (GZIPInputStream zip = new GZIPInputStream(new ByteArrayInputStream(content))) {
      return zip.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
