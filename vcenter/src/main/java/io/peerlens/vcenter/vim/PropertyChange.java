package io.peerlens.vcenter.vim;

import org.jspecify.annotations.Nullable;

/**
 * Change of one property.
 *
 * @param path the asked-for path, or one below it
 * @param value what it is now; null = it is not set any more
 */
public record PropertyChange(String path, @Nullable XmlValue value) {}
