package io.peerlens.vcenter.events;

import io.peerlens.vcenter.vim.Moref;
import java.time.Instant;

/**
 * State of an alarm on one object.
 *
 * @param entity the object
 * @param alarm its definition
 * @param status {@code green}, {@code yellow}, {@code red} or {@code gray}; green = it has ended
 * @param at since when
 * @param acknowledgedBy who took it on; empty = nobody
 */
public record Alarm(
    Moref entity,
    String entityName,
    Moref alarm,
    String name,
    String description,
    String status,
    Instant at,
    boolean acknowledged,
    String acknowledgedBy) {

  /** The same alarm, ended. */
  public Alarm ended(Instant when) {
    return new Alarm(
        entity, entityName, alarm, name, description, "green", when, acknowledged, acknowledgedBy);
  }
}
