/** What samples are about: objects, groups of metrics, instances and metrics by their names. */
@NullMarked
package io.peerlens.ingest.key;

import org.jspecify.annotations.NullMarked;
