package io.peerlens.inventory;

import static io.peerlens.database.Times.utc;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * History of objects that went silent and came back: two kinds of entries among the changes of
 * objects, at the time of the last sample before and of the first one after. Entries are made once,
 * whoever runs this and however often; runs of several nodes at once pass over one another's
 * objects.
 */
public final class LivenessHistory {

  private static final int BATCH = 1_000;

  /** More than a run notes goes on with the next. */
  private static final int MOST_BATCHES = 100;

  /**
   * Time in which nothing was read counts for nobody: from when on Peerlens listened, an object is
   * waited for as long as it may be quiet.
   */
  private static final String GONE =
      """
      with due as (
        select l.object_id, l.last_seen
        from object_liveness l join object o on o.id = l.object_id
        where l.silent_since is null and o.adapter_kind <> 'Peerlens' and o.removed_at is null
          and l.last_seen + make_interval(secs => :silentAtLeast::float8) <= :now -- leaves out nearly all before the join
          and """
          + " "
          + Liveness.FROM
          + """
              + greatest(interval '0', :noticing - l.last_seen) <= :now
        order by l.object_id limit :batch for no key update of l skip locked),
      silent as (
        update object_liveness l set silent_since = d.last_seen, returned_at = null
        from due d where l.object_id = d.object_id
        returning l.object_id, l.silent_since)
      insert into object_change (time, object_id, kind, old_value, new_value)
      select silent_since, object_id, 'reporting', 'reporting', 'silent' from silent
      """;

  private static final String BACK =
      """
      with due as (
        select object_id, coalesce(returned_at, last_seen) as at from object_liveness
        where silent_since is not null and last_seen > silent_since
        order by object_id limit :batch for no key update skip locked),
      back as (
        update object_liveness l set silent_since = null, returned_at = null
        from due d where l.object_id = d.object_id
        returning l.object_id, d.at)
      insert into object_change (time, object_id, kind, old_value, new_value)
      select at, object_id, 'reporting', 'silent', 'reporting' from back
      """;

  private final JdbcClient jdbc;
  private final InventoryProperties properties;

  public LivenessHistory(JdbcClient jdbc, InventoryProperties properties) {
    this.jdbc = jdbc;
    this.properties = properties;
  }

  /**
   * Notes who came back and who has gone silent since the last run.
   *
   * @param noticing since when a sample would have been noticed; {@link Instant#MIN} = always,
   *     {@link Instant#MAX} = it would not be now, so that nobody goes silent
   * @return how many entries were made
   */
  public int note(Instant now, Instant noticing) {
    int noted = batches(BACK, Map.of("batch", BATCH));
    if (noticing.equals(Instant.MAX)) {
      return noted;
    }
    Map<String, Object> parameters =
        new HashMap<>(new Liveness(properties, () -> now).parameters());
    parameters.put("noticing", utc(noticing.equals(Instant.MIN) ? Instant.EPOCH : noticing));
    parameters.put("batch", BATCH);
    return noted + batches(GONE, parameters);
  }

  private int batches(String sql, Map<String, Object> parameters) {
    int noted = 0;
    for (int i = 0; i < MOST_BATCHES; i++) {
      int some = jdbc.sql(sql).params(parameters).update();
      noted += some;
      if (some < BATCH) {
        break;
      }
    }
    return noted;
  }
}
