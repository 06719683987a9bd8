package io.peerlens.samples;

import static io.peerlens.database.Times.instant;
import static io.peerlens.database.Times.utc;

import io.peerlens.api.model.DeadLetter;
import io.peerlens.api.model.DeadLetterPage;
import io.peerlens.api.model.DeadLetterReason;
import io.peerlens.api.model.PayloadEncoding;
import io.peerlens.web.Page;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** List of dead letters for the API. */
final class DeadLetters {

  private static final int SHOWN_BYTES = 16 << 10;

  /**
   * End of a detail that blames one place, as decoders write it; bytes are counted from 1 there.
   */
  private static final Pattern POSITION = Pattern.compile(", at byte ([0-9]{1,9})$");

  private static final String MATCHES =
      """
      received_at >= :from and received_at < :to
        and (:reason::text is null or reason = :reason)
        and (:topic::text is null or topic = :topic)
        and (:replayed::boolean is null or (replayed_at is not null) = :replayed)
      """;
  private static final String PAGE =
      """
      select id, received_at, topic, partition, "offset", line, reason, detail,
             substring(payload for 16384) as payload, octet_length(payload) as bytes, replayed_at
      from dead_letter where id < :before and
      """
          + MATCHES
          + "order by id desc limit :limit";
  private static final String COUNT = "select count(*) from dead_letter where " + MATCHES;
  private static final String REASONS =
      """
      select reason, count(*) as count, count(*) filter (where replayed_at is null) as not_replayed,
             max(received_at) as newest_at
      from dead_letter where received_at >= :from and received_at < :to
      group by reason order by count desc, reason
      """;

  /** Filter of dead letters; null = all. */
  record Filter(
      Instant from,
      Instant to,
      @Nullable String reason,
      @Nullable String topic,
      @Nullable Boolean replayed) {}

  private final JdbcClient jdbc;

  DeadLetters(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * One page, newest first.
   *
   * @param scope what a cursor belongs to: the filter as it was asked for
   */
  DeadLetterPage page(Filter filter, String scope, int limit, @Nullable String cursor) {
    long before = Page.before(scope, cursor);
    List<DeadLetter> letters =
        filtered(PAGE, filter)
            .param("before", before)
            .param("limit", limit + 1)
            .query((row, number) -> letter(row))
            .list();
    long total = filtered(COUNT, filter).query(Long.class).single();
    return Page.newestFirst(letters, DeadLetter::getId, scope, limit, total)
        .as(DeadLetterPage::new);
  }

  /** Counts the dead letters of each reason, most first. */
  List<DeadLetterReason> reasons(Instant from, Instant to) {
    return jdbc.sql(REASONS)
        .param("from", utc(from))
        .param("to", utc(to))
        .query(
            (row, number) ->
                new DeadLetterReason(
                    row.getString("reason"),
                    row.getLong("count"),
                    row.getLong("not_replayed"),
                    instant(row, "newest_at")))
        .list();
  }

  private JdbcClient.StatementSpec filtered(String sql, Filter filter) {
    return jdbc.sql(sql)
        .param("from", utc(filter.from))
        .param("to", utc(filter.to))
        .param("reason", filter.reason)
        .param("topic", filter.topic)
        .param("replayed", filter.replayed);
  }

  private static DeadLetter letter(ResultSet row) throws SQLException {
    byte[] payload = row.getBytes("payload");
    boolean truncated = row.getInt("bytes") > SHOWN_BYTES;
    String text = text(payload, truncated);
    String detail = row.getString("detail");
    OffsetDateTime replayedAt = row.getObject("replayed_at", OffsetDateTime.class);
    return new DeadLetter(
        row.getLong("id"),
        instant(row, "received_at"),
        row.getString("topic"),
        row.getInt("partition"),
        row.getLong("offset"),
        row.getInt("line"),
        row.getString("reason"),
        detail,
        position(detail),
        text == null ? Base64.getEncoder().encodeToString(payload) : text,
        text == null ? PayloadEncoding.BASE64 : PayloadEncoding.TEXT,
        truncated,
        replayedAt == null ? null : replayedAt.toInstant());
  }

  private static @Nullable Integer position(String detail) {
    Matcher matcher = POSITION.matcher(detail);
    return matcher.find() ? Integer.parseInt(matcher.group(1)) - 1 : null;
  }

  /** The bytes as text, null when they are not UTF-8; a cut may go through a character. */
  private static @Nullable String text(byte[] payload, boolean truncated) {
    for (int cut = 0; cut <= (truncated ? 3 : 0); cut++) {
      try {
        return StandardCharsets.UTF_8
            .newDecoder()
            .decode(ByteBuffer.wrap(Arrays.copyOf(payload, payload.length - cut)))
            .toString();
      } catch (CharacterCodingException e) {
        // one byte less, perhaps
      }
    }
    return null;
  }
}
