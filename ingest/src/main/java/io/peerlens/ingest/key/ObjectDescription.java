package io.peerlens.ingest.key;

/**
 * Description of an object: all that is known of it, and since when.
 *
 * <p>Lines and records of our own form are two sources with a time each: what an older line says
 * does not overwrite what a newer line said, likewise for records, and a few seconds between the
 * clocks of two collectors neither undo nor block what the other one says.
 *
 * @param linesMicros newest line that changed anything; {@link Long#MIN_VALUE} = none did
 * @param told what records have said
 */
public record ObjectDescription(ObjectAttributes attributes, long linesMicros, Told told) {

  /**
   * Description of a new object. When nobody named it its id is its name, and what others call it;
   * so is the id of an object that a record names, for its producers know ids.
   */
  public static ObjectDescription ofNew(ObjectKey key, ObjectReport report, long micros) {
    boolean record = report.source() == ObjectReport.Source.RECORD;
    ObjectAttributes said = report.on(ObjectAttributes.NONE);
    boolean named = !said.name().isEmpty();
    return new ObjectDescription(
        new ObjectAttributes(
            named ? said.name() : key.externalId(),
            said.locator() == null && (record || !named) ? key.externalId() : said.locator(),
            said.properties(),
            said.tags(),
            said.references()),
        record ? Long.MIN_VALUE : micros,
        record ? Told.NOTHING.after(report, micros) : Told.NOTHING);
  }

  /** The description after a report of that time; this very one when it changes nothing. */
  public ObjectDescription after(ObjectReport report, long micros) {
    return switch (report.source()) {
      case LINE -> afterLine(report, micros);
      case RECORD -> afterRecord(report, micros);
    };
  }

  private ObjectDescription afterLine(ObjectReport report, long micros) {
    if (micros < linesMicros || !report.changes(attributes)) {
      return this;
    }
    boolean holds = told.holdsAt(micros);
    ObjectAttributes heard = holds ? told.leavesOf(report.attributes()) : report.attributes();
    return attributes.isChangedBy(heard)
        ? new ObjectDescription(attributes.with(heard), micros, holds ? told : Told.NOTHING)
        : this;
  }

  private ObjectDescription afterRecord(ObjectReport report, long micros) {
    if (micros < told.timeMicros() || report.tellsNothing()) {
      return this;
    }
    boolean changes = report.changes(attributes);
    return changes || !told.covers(report) || told.isToBeRenewedAt(micros)
        ? new ObjectDescription(
            changes ? report.on(attributes) : attributes, linesMicros, told.after(report, micros))
        : this;
  }
}
