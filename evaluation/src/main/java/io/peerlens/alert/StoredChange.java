package io.peerlens.alert;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A change of an object as the inventory has recorded it.
 *
 * @param kind as in the table {@code object_change}
 * @param key property or tag; the parent's kind for a placement; null = neither
 * @param author who did it; null = nobody is named
 */
record StoredChange(
    int object,
    Instant time,
    String kind,
    @Nullable String key,
    @Nullable String before,
    @Nullable String after,
    @Nullable String author) {}
