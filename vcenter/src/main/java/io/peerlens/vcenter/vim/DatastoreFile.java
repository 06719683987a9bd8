package io.peerlens.vcenter.vim;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * File of a datastore.
 *
 * @param folder with the datastore, as vCenter writes it: {@code [datastore1] web1}
 * @param name without the folder
 * @param bytes -1 = not told
 * @param modified null = not told
 */
public record DatastoreFile(String folder, String name, long bytes, @Nullable Instant modified) {}
