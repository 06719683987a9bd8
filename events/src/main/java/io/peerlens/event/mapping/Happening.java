package io.peerlens.event.mapping;

import io.peerlens.impact.ToldChangeStore.Teller;
import io.peerlens.notify.relay.VCenterAlarm;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Meaning of an event. */
public sealed interface Happening {

  /**
   * An object as a vCenter names it.
   *
   * @param type managed object type, such as {@code VirtualMachine}
   * @param moid its id, unique within the vCenter
   */
  record Subject(String type, String moid) {
    @Override
    public String toString() {
      return type + " " + moid;
    }
  }

  /**
   * A change of an object.
   *
   * @param key what the vCenter calls the event or task
   * @param chain what belongs together; null = it does not say
   * @param until null = it was done at once, or goes on
   * @param author null = nobody is named
   * @param note null = the title says it all
   * @param tells other changes that it tells as well, see {@link
   *     io.peerlens.impact.ToldChangeStore.Told}
   */
  record Change(
      String key,
      Teller teller,
      @Nullable Long chain,
      Subject subject,
      Instant time,
      @Nullable Instant until,
      String sort,
      String title,
      @Nullable String author,
      @Nullable String note,
      List<String> tells)
      implements Happening {

    public Change {
      tells = List.copyOf(tells);
    }
  }

  /**
   * State of an alarm.
   *
   * @param name of the object at the vCenter
   * @param alarm the vCenter's id of the alarm's definition
   * @param acknowledgedBy null = nobody is named
   */
  record Alarm(
      Subject subject,
      String name,
      String alarm,
      String title,
      VCenterAlarm.Status status,
      boolean acknowledged,
      @Nullable String acknowledgedBy,
      Instant time)
      implements Happening {}

  /** Nothing that matters here. */
  record Nothing() implements Happening {
    public static final Nothing IT = new Nothing();
  }
}
