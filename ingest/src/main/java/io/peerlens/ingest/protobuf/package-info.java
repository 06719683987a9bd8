/** Protobuf messages by the numbers of their fields, without generated classes. */
@NullMarked
package io.peerlens.ingest.protobuf;

import org.jspecify.annotations.NullMarked;
