/** Stored dashboards and views: definitions, files, packs. */
@NullMarked
package io.peerlens.dashboard;

import org.jspecify.annotations.NullMarked;
