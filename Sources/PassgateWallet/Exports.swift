// What app and backend say to each other has one definition, which comes with either kit.
@_exported public import PassgateContract
