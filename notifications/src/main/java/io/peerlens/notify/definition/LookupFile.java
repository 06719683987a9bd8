package io.peerlens.notify.definition;

import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * Lookup table as the database and rules files hold it.
 *
 * @param name for instance {@code runbooks.csv}; it is what templates call it
 * @param csv the file as it came
 */
record LookupFile(
    @NotNull @Pattern(regexp = "^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$") String name,
    @NotNull @Size(max = LookupFile.MOST_CHARACTERS) String csv) {

  static final int MOST_CHARACTERS = 1 << 20;

  /** Tables go by their names; the database and rules files want an id. */
  static UUID id(String name) {
    return UUID.nameUUIDFromBytes(("lookup-table/" + name).getBytes(StandardCharsets.UTF_8));
  }

  long bytes() {
    return csv.getBytes(StandardCharsets.UTF_8).length;
  }
}
